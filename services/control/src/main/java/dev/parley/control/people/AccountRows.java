package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.control.people.AccountRows.Owned;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Repository of a person's rows as JSON, without secrets. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AccountRows extends GenericRepository<Owned, UUID> {
    /** A person's rows, one array for each kind. */
    @Serdeable
    @MappedEntity
    record Owned(
            @Id @JsonIgnore UUID id,
            @TypeDef(type = DataType.JSON) JsonNode identities,
            @TypeDef(type = DataType.JSON) JsonNode memberships,
            @TypeDef(type = DataType.JSON) JsonNode apiKeys,
            @TypeDef(type = DataType.JSON) JsonNode signIns,
            @TypeDef(type = DataType.JSON) JsonNode credentials,
            @TypeDef(type = DataType.JSON) JsonNode budgets) {}

    /** An audit entry as JSON. */
    @Introspected
    record AuditLine(UUID auditLogId, Instant eventTs, String entry) {}

    String ROWS = "(SELECT coalesce(jsonb_agg(to_jsonb(r)), '[]') FROM (";

    @Query("SELECT me.id, " + ROWS + """
            SELECT i.provider, i.subject, i.created_ts AS "createdAt"
            FROM control.auth_identity_t i WHERE i.user_id = me.id ORDER BY i.provider) r) AS identities,
            """ + ROWS + """
            SELECT p.project_key AS project, p.name, m.role, m.permissions, m.joined_ts AS "joinedAt"
            FROM control.project_member_t m
            JOIN control.project_t p ON p.host_id = m.host_id AND p.project_id = m.project_id AND p.erasure_id IS NULL
            WHERE m.host_id = me.host AND m.user_id = me.id AND m.active
            ORDER BY m.joined_ts, p.project_key) r) AS memberships,
            """ + ROWS + """
            SELECT k.api_key_id AS id, k.name, k.key_prefix AS prefix, p.project_key AS project, k.permissions,
              k.usage_count AS "usageCount", k.last_used_ts AS "lastUsedAt", k.created_ts AS "createdAt",
              k.expires_ts AS "expiresAt", k.revoked_ts AS "revokedAt"
            FROM control.api_key_t k
            LEFT JOIN control.project_t p ON p.host_id = k.host_id AND p.project_id = k.project_id
            WHERE k.host_id = me.host AND k.user_id = me.id ORDER BY k.created_ts, k.api_key_id) r) AS api_keys,
            """ + ROWS + """
            SELECT s.auth_session_id AS id, s.method, s.address, s.user_agent AS "userAgent", s.created_ts AS "createdAt",
              s.refresh_until_ts AS until
            FROM control.auth_session_t s WHERE s.host_id = me.host AND s.user_id = me.id ORDER BY s.created_ts) r) AS sign_ins,
            """ + ROWS + """
            SELECT c.credential_id AS id, c.provider, c.name, c.last4, c.is_default AS "isDefault", c.created_ts AS "createdAt",
              c.update_ts AS "updatedAt"
            FROM control.provider_credential_t c WHERE c.host_id = me.host AND c.user_id = me.id
            ORDER BY c.created_ts) r) AS credentials,
            """ + ROWS + """
            SELECT s.value AS budget, s.update_ts AS "updatedAt"
            FROM control.setting_t s WHERE s.host_id = me.host AND s.name = 'budget/user/' || me.id) r) AS budgets
            FROM (SELECT CAST(:host AS uuid) AS host, CAST(:user AS uuid) AS id) me
            """)
    Owned owned(UUID host, UUID user);

    /** The audit entries of a user before one, newest first. */
    @Query("""
            SELECT audit_log_id, event_ts, CAST(to_jsonb(r) - 'audit_log_id' - 'event_ts' AS text) AS entry FROM (
              SELECT audit_log_id, event_ts, event_ts AS at, source_type_id AS source, message0 AS action, message1 AS subject,
                success = 'Y' AS success, message, correlation_id AS "correlationId"
              FROM control.audit_log_t
              WHERE host_id = :host AND user_id = :user AND (event_ts, audit_log_id) < (:time, :id)
              ORDER BY event_ts DESC, audit_log_id DESC LIMIT :limit) r
            """)
    List<AuditLine> audit(UUID host, String user, Instant time, UUID id, int limit);
}
