package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A person as they and administrators see them. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@MappedEntity(value = "user_t", schema = "control")
@Schema(name = "User", description = "Somebody who uses this installation.")
record Person(
        @Id @MappedProperty("user_id") UUID id,

        String username,
        @Nullable String email,
        @Nullable String avatarUrl,

        @Schema(description = "admin or user, in the caller's host.")
        String role,

        @Schema(description = "What clients keep for this person.", type = "object") @TypeDef(type = DataType.JSON)
        JsonNode preferences,

        @Schema(description = "For example Europe/Berlin.") @Nullable
        String timeZone,

        @Schema(description = "For example de.") @Nullable String language,
        boolean active,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,

        @Schema(description = "When they signed in last, or null.") @Nullable @MappedProperty("last_login_ts")
        Instant lastLoginAt,

        @JsonIgnore long version) {}
