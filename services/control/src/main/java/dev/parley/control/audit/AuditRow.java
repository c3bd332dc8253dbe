package dev.parley.control.audit;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log.
 *
 * @param source the kind of entity, such as {@code api-key}
 * @param subject the id of the entity
 * @param key the visible prefix of the API key or token that was used
 * @param success {@code Y} or {@code N}
 */
@MappedEntity(value = "audit_log_t", schema = "control")
record AuditRow(
        UUID hostId,
        @Id UUID auditLogId,
        @Nullable UUID projectId,
        @Nullable @MappedProperty("source_type_id") String source,
        @Nullable String correlationId,
        @Nullable String userId,
        @MappedProperty("event_ts") Instant at,
        @Nullable String success,
        @Nullable @MappedProperty("message0") String action,
        @Nullable @MappedProperty("message1") String subject,
        @Nullable @MappedProperty("message2") String key,
        @Nullable String message,
        @Nullable String userComment) {}
