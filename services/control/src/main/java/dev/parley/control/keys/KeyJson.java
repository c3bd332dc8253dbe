package dev.parley.control.keys;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An API key without its secret.
 *
 * @param prefix Unique prefix of the key.
 * @param project Key of the only project that the API key opens; null for all projects.
 * @param permissions Capabilities of the key, as far as its user has them; "*" for all.
 * @param usageCount Number of requests made with the key; up to ten seconds behind.
 */
@Serdeable
@MappedEntity(value = "api_key_t", schema = "control")
@Schema(name = "ApiKey")
record KeyJson(
        @Id @MappedProperty("api_key_id") UUID id,
        String name,
        @MappedProperty("key_prefix") String prefix,
        @Nullable @MappedProperty("project_key") String project,
        @TypeDef(type = DataType.JSON) List<String> permissions,
        long usageCount,
        @Nullable @MappedProperty("last_used_ts") Instant lastUsedAt,
        @MappedProperty("created_ts") Instant createdAt,
        @Nullable @MappedProperty("expires_ts") Instant expiresAt,
        @Nullable @MappedProperty("revoked_ts") Instant revokedAt,
        @JsonIgnore @MappedProperty("aggregate_version") long version) {}
