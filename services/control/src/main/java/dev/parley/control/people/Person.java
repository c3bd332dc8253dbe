package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.domain.access.AccessRecord.Account;
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
@MappedEntity(value = "user_t", schema = "control")
@Schema(name = "User", description = "A user of this installation.")
record Person(
        @Id @MappedProperty("user_id") UUID id,

        String username,
        @Nullable String email,
        @Nullable String avatarUrl,

        @Schema(description = "Role in the caller's host: admin or user.")
        String role,

        @Schema(description = "Preferences that clients store for the user.", type = "object")
        @TypeDef(type = DataType.JSON)
        JsonNode preferences,

        @Schema(description = "Time zone, for example Europe/Berlin.") @Nullable
        String timeZone,

        @Schema(description = "Language, for example de.") @Nullable
        String language,

        boolean active,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,

        @Schema(description = "Time of the last sign-in; null if there was none.")
        @Nullable
        @MappedProperty("last_login_ts")
        Instant lastLoginAt,

        @JsonIgnore long version) {
    /** The account in this host, as decisions about rights see it. */
    Account account(UUID host) {
        return new Account(host, id, version, username, role.equals("admin"), active, timeZone, language, null);
    }
}
