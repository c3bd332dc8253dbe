package dev.parley.platform.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The price of a model, in US dollars per million tokens.
 *
 * @param model {@code provider/model}, without a date
 * @param input price of uncached input
 * @param cacheRead price of input read from the cache of the provider, or null for that of other input
 * @param cacheWrite price of input written to the cache, or null for that of other input
 * @param output price of output, including reasoning
 * @param longFrom number of input tokens from which a whole request is more expensive, or null
 * @param longInput factor for the input of such a request, or null for 1
 * @param longOutput factor for its output, or null for 1
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
