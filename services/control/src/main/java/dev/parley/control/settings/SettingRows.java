package dev.parley.control.settings;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code control.setting_t}. Names with a slash belong to projects and people, others to the host. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface SettingRows extends GenericRepository<SettingRow, String> {
    String COLUMNS = "host_id, name, value, update_ts, active, aggregate_version ";

    @Query("SELECT " + COLUMNS + """
            FROM control.setting_t
            WHERE host_id = :host AND strpos(name, '/') = 0 AND (active OR :inactive) ORDER BY name
            """)
    List<SettingRow> ofHost(UUID host, boolean inactive);

    Optional<SettingRow> findByHostIdAndNameAndActiveTrue(UUID host, String name);

    Optional<SettingRow> findByHostIdAndNameAndActiveTrueForUpdate(UUID host, String name);

    /** The user who set a setting. */
    @Query("SELECT update_user FROM control.setting_t WHERE host_id = :host AND name = :name AND active")
    Optional<String> setter(UUID host, String name);

    /** @param value JSON */
    @Query("""
            INSERT INTO control.setting_t AS s (host_id, name, value, update_user)
            VALUES (:host, :name, CAST(:value AS jsonb), :actor)
            ON CONFLICT (host_id, name) DO UPDATE SET value = excluded.value, active = true,
              aggregate_version = s.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
            RETURNING
            """ + COLUMNS)
    SettingRow set(UUID host, String name, String value, String actor);

    @Query("""
            UPDATE control.setting_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(),
              update_user = :actor WHERE host_id = :host AND name = :name
            """)
    void clear(UUID host, String name, String actor);

    /** Counts the host's settings that Parley does not read. */
    @Query("""
            SELECT count(*) FROM control.setting_t
            WHERE active AND host_id = :host AND strpos(name, '/') = 0 AND name NOT IN (:knownNames)
            """)
    long countOwn(UUID host, List<String> knownNames);

    /** Deletes all but the newest cleared settings. */
    @Query("""
            DELETE FROM control.setting_t WHERE NOT active AND host_id = :host AND name IN (
              SELECT name FROM control.setting_t
              WHERE NOT active AND host_id = :host AND strpos(name, '/') = 0 AND name NOT IN (:knownNames)
              ORDER BY update_ts DESC, name OFFSET :retained)
            """)
    void purge(UUID host, List<String> knownNames, int retained);
}
