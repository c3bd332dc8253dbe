package dev.parley.control.prices;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.platform.config.Price;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Price of a model in US dollars per million tokens.
 *
 * @param cacheRead Price of input tokens read from the provider's cache; null uses the price of other input.
 * @param cacheWrite Price of input tokens written to the provider's cache; null uses the price of other input.
 * @param source Source of the price: own (set through this API), configuration (parley.yml) or build (included in
 *     Parley).
 * @param active False if the price was cleared and does not apply.
 */
@Serdeable
@Schema(name = "Price")
record ModelPrice(
        String provider,
        String model,
        BigDecimal input,
        BigDecimal output,
        @Nullable BigDecimal cacheRead,
        @Nullable BigDecimal cacheWrite,
        String source,
        @Nullable Instant updatedAt,
        boolean active,
        @JsonIgnore long version) {

    static ModelPrice ofRow(PriceRow row) {
        return new ModelPrice(
                row.provider(),
                row.model(),
                stripZeros(row.input()),
                stripZeros(row.output()),
                stripZerosOrNull(row.cacheRead()),
                stripZerosOrNull(row.cacheWrite()),
                "own",
                row.updatedAt(),
                row.active(),
                row.version());
    }

    /** The price of a configured model; empty where the name has no provider. */
    static Optional<ModelPrice> of(Price price, String source) {
        int slash = price.model().indexOf('/');
        return slash < 0
                ? Optional.empty()
                : Optional.of(new ModelPrice(
                        price.model().substring(0, slash),
                        price.model().substring(slash + 1),
                        price.input(),
                        price.output(),
                        price.cacheRead(),
                        price.cacheWrite(),
                        source,
                        null,
                        true,
                        0));
    }

    String name() {
        return provider + "/" + model;
    }

    private static @Nullable BigDecimal stripZerosOrNull(@Nullable BigDecimal value) {
        return value == null ? null : stripZeros(value);
    }

    private static BigDecimal stripZeros(BigDecimal value) {
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }
}
