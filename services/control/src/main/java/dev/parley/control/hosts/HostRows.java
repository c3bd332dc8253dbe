package dev.parley.control.hosts;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code control.host_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface HostRows extends GenericRepository<HostJson, UUID> {
    List<HostJson> findAllOrderByKey();

    Optional<HostJson> findByKey(String key);

    Optional<HostJson> findByKeyForUpdate(String key);

    HostJson save(HostJson host);

    HostJson update(HostJson host);

    void deleteById(UUID id);

    @Query("DELETE FROM control.project_t WHERE host_id = :host")
    void deleteProjects(UUID host);

    @Query("""
            INSERT INTO control.project_t (host_id, project_id, project_key, name, update_user)
            VALUES (:host, :host, :key, 'Default', :actor)
            """)
    void addDefaultProject(UUID host, String key, String actor);

    /** Increments the versions of accounts, so that consumers accept their records as newer. */
    @Query("""
            UPDATE control.user_host_t SET aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            WHERE host_id = :host
            """)
    void touchPeople(UUID host, String actor);
}
