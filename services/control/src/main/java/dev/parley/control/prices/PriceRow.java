package dev.parley.control.prices;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A host's price of a model, in US dollars per million tokens. */
@MappedEntity(value = "price_t", schema = "control")
record PriceRow(
        UUID hostId,
        String provider,
        @Id String model,
        BigDecimal input,
        BigDecimal output,
        @Nullable BigDecimal cacheRead,
        @Nullable BigDecimal cacheWrite,
        boolean active,
        @MappedProperty("update_ts") Instant updatedAt,
        @MappedProperty("aggregate_version") long version) {}
