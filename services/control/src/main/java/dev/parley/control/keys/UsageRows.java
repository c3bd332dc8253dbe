package dev.parley.control.keys;

import dev.parley.control.keys.UsageRows.Offset;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Repository of {@code control.usage_offset_t} and of the requests counted up to these offsets. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface UsageRows extends GenericRepository<Offset, Integer> {
    /** The offset of the first record of a partition that is not counted. */
    @MappedEntity(value = "usage_offset_t", schema = "control")
    record Offset(@Id int partitionId, long nextOffset) {}

    List<Offset> findAll();

    @Query("""
            UPDATE control.api_key_t SET usage_count = usage_count + :count, last_used_ts = greatest(last_used_ts, :last)
            WHERE host_id = :host AND api_key_id = :id
            """)
    void count(UUID host, UUID id, int count, Instant last);

    /** @return 0 where records from {@code first} on are already counted */
    @Query("""
            INSERT INTO control.usage_offset_t AS o (partition_id, next_offset) VALUES (:partition, :next)
            ON CONFLICT (partition_id) DO UPDATE SET next_offset = excluded.next_offset WHERE o.next_offset <= :first
            """)
    int advance(int partition, long next, long first);
}
