package dev.parley.control.prices;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.price_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PriceRows extends GenericRepository<PriceRow, String> {
    List<PriceRow> findByHostIdOrderByProviderAscAndModelAsc(UUID host);

    Optional<PriceRow> findByHostIdAndProviderAndModelAndActiveTrue(UUID host, String provider, String model);

    Optional<PriceRow> findByHostIdAndProviderAndModelAndActiveTrueForUpdate(UUID host, String provider, String model);

    @Query("""
            INSERT INTO control.price_t AS p (host_id, provider, model, input, output, cache_read, cache_write, update_user)
            VALUES (:host, :provider, :model, :input, :output, :cacheRead, :cacheWrite, :actor)
            ON CONFLICT (host_id, provider, model) DO UPDATE SET input = excluded.input, output = excluded.output,
              cache_read = excluded.cache_read, cache_write = excluded.cache_write, active = true,
              aggregate_version = p.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
            RETURNING host_id, provider, model, input, output, cache_read, cache_write, active, update_ts, aggregate_version
            """)
    PriceRow set(
            UUID host,
            String provider,
            String model,
            BigDecimal input,
            BigDecimal output,
            @Nullable BigDecimal cacheRead,
            @Nullable BigDecimal cacheWrite,
            String actor);

    @Query("""
            UPDATE control.price_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(),
              update_user = :actor WHERE host_id = :host AND provider = :provider AND model = :model
            """)
    void clear(UUID host, String provider, String model, String actor);
}
