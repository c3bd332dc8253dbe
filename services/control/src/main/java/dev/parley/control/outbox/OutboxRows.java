package dev.parley.control.outbox;

import dev.parley.control.outbox.OutboxRows.Change;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** Repository of {@code control.outbox_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface OutboxRows extends GenericRepository<Change, Long> {
    /** A change to publish. */
    @MappedEntity(value = "outbox_t", schema = "control")
    record Change(@Id long seq, String recordKey) {}

    /** Takes an advisory lock until the transaction ends, unless another transaction has it. */
    @Query("SELECT pg_try_advisory_xact_lock(:lock)")
    boolean tryLock(long lock);

    /** Whether there are changes: outside a transaction one statement, since this is asked all the time. */
    @Query("SELECT EXISTS (SELECT FROM control.outbox_t)")
    boolean any();

    @Query("SELECT seq, record_key FROM control.outbox_t ORDER BY seq LIMIT :limit")
    List<Change> oldest(int limit);

    @Query("INSERT INTO control.outbox_t (record_key) VALUES (:recordKey)")
    void add(String recordKey);

    /** The time of the database in microseconds. */
    @Query("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
    long micros();

    @Query("DELETE FROM control.outbox_t WHERE seq = ANY (CAST(:seqs AS bigint[]))")
    void delete(@TypeDef(type = DataType.STRING_ARRAY) List<Long> seqs);
}
