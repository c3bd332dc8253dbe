package dev.parley.platform.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a model costs, in US dollars for a million tokens.
 *
 * @param model {@code provider/model}, without a date
 * @param input of what is sent and was in no cache
 * @param cacheRead of what was found in the provider's cache, or null for the price of other input
 * @param cacheWrite of what was put there, or null for the price of other input
 * @param output of what is answered, reasoning included
 * @param longFrom input tokens from which on all of a request is dearer, or null
 * @param longInput by what input, cached or not, is then multiplied, or null for 1
 * @param longOutput by what output is then multiplied, or null for 1
 */
public record Price(
        @JsonProperty(value = "model", required = true) String model,
        @JsonProperty(value = "input", required = true) BigDecimal input,
        @JsonProperty("cacheRead") @Nullable BigDecimal cacheRead,
        @JsonProperty("cacheWrite") @Nullable BigDecimal cacheWrite,
        @JsonProperty(value = "output", required = true) BigDecimal output,
        @JsonProperty("longFrom") @Nullable Long longFrom,
        @JsonProperty("longInput") @Nullable BigDecimal longInput,
        @JsonProperty("longOutput") @Nullable BigDecimal longOutput) {}
