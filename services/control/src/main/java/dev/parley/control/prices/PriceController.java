package dev.parley.control.prices;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Routes of model prices, for administrators. */
@Controller("/v1/prices")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = PriceTable.class)
@RequiresCapability(Capability.SETTING_MANAGE)
@Tag(name = "Prices", description = "Prices of models, for administrators.")
class PriceController {
    private static final Pattern PROVIDER = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Pattern MODEL = Pattern.compile("[^\\s\\p{Cntrl}\"\\\\]{1,126}");
    /** The provider of calls that are never priced, as in the role {@code agents}. */
    private static final String FREE = "scripted";

    private static final BigDecimal MAX_DOLLARS = BigDecimal.valueOf(100_000);

    private final PriceTable prices;

    PriceController(PriceTable prices) {
        this.prices = prices;
    }

    /** Prices, by model name. */
    @Serdeable
    @Schema(name = "PriceList")
    record PricesJson(Collection<ModelPrice> data) {}

    /** Price in US dollars per million tokens. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewPrice")
    record NewPrice(
            @Nullable BigDecimal input,
            @Nullable BigDecimal output,
            @Nullable BigDecimal cacheRead,
            @Nullable BigDecimal cacheWrite) {}

    /**
     * List prices. Prices, each with its source.
     *
     * @param includeInactive True to include cleared prices.
     */
    @Get
    @RequiresCapability(Capability.SETTING_MANAGE)
    PricesJson list(@Nullable @QueryValue Boolean includeInactive, Caller caller) {
        return new PricesJson(prices.list(caller, Boolean.TRUE.equals(includeInactive)));
    }

    /**
     * Get a price. The price that applies. The response has an ETag if the price is the host's own.
     *
     * @return The price.
     */
    @Get("/{provider}/{model:.+}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    HttpResponse<ModelPrice> show(@PathVariable String provider, @PathVariable String model, Caller caller) {
        return okWithETag(prices.find(caller, provider, model)
                .orElseThrow(() -> ApiException.notFound(
                        "unknown_price", "There is no price for '%s/%s'".formatted(provider, model))));
    }

    private static HttpResponse<ModelPrice> okWithETag(ModelPrice price) {
        return price.version() == 0
                ? HttpResponse.ok(price)
                : HttpResponse.ok(price).header("ETag", IfMatch.tag(price.version()));
    }

    /**
     * Set a price. Takes effect from the next call; earlier costs stay unchanged.
     *
     * @return The price.
     */
    @Put("/{provider}/{model:.+}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    HttpResponse<ModelPrice> set(
            @PathVariable String provider,
            @PathVariable String model,
            @Body NewPrice body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        if (!PROVIDER.matcher(provider).matches() || !MODEL.matcher(model).matches()) {
            throw ApiException.badRequest("invalid_model", "A model must be provider/model, for example openai/gpt-5");
        }
        if (provider.equals(FREE)) {
            throw ApiException.badRequest("invalid_model", "Models of the provider 'scripted' are always free");
        }
        var price = new ModelPrice(
                provider,
                model,
                requireDollars("input", body.input()),
                requireDollars("output", body.output()),
                dollars("cacheRead", body.cacheRead()),
                dollars("cacheWrite", body.cacheWrite()),
                "own",
                null,
                true,
                0);
        return okWithETag(prices.set(caller, price, ifMatch));
    }

    private static BigDecimal requireDollars(String field, @Nullable BigDecimal value) {
        BigDecimal dollars = dollars(field, value);
        if (dollars == null) {
            throw ApiException.badRequest("missing_field", "The field '" + field + "' is missing");
        }
        return dollars;
    }

    private static @Nullable BigDecimal dollars(String field, @Nullable BigDecimal value) {
        if (value != null
                && (value.scale() > 100
                        || value.signum() < 0
                        || value.compareTo(MAX_DOLLARS) > 0
                        || value.stripTrailingZeros().scale() > 6)) {
            throw Checks.invalid(field, "must be from 0 to " + MAX_DOLLARS + ", with at most six decimals");
        }
        return value;
    }

    /** Delete a price. The price of the configuration or the build applies again, if there is one. */
    @Delete("/{provider}/{model:.+}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @ApiResponse(responseCode = "204", description = "The price was cleared.")
    HttpResponse<Void> clear(
            @PathVariable String provider,
            @PathVariable String model,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        prices.clear(caller, provider, model, ifMatch);
        return HttpResponse.noContent();
    }
}
