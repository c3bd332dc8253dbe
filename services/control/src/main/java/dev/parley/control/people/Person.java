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

/**
 * A user of this installation.
 *
 * @param role Role in the caller's host: admin or user.
 * @param timeZone Time zone, for example Europe/Berlin.
 * @param language Language, for example de.
 * @param lastLoginAt Time of the last sign-in; null if there was none.
 */
@Serdeable
@MappedEntity(value = "user_t", schema = "control")
@Schema(name = "User")
record Person(
        @Id @MappedProperty("user_id") UUID id,
        String username,
        @Nullable String email,
        @Nullable String avatarUrl,
        String role,

        @Schema(description = "Preferences that clients store for the user.", type = "object")
        @TypeDef(type = DataType.JSON)
        JsonNode preferences,

        @Nullable String timeZone,
        @Nullable String language,
        boolean active,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,
        @Nullable @MappedProperty("last_login_ts") Instant lastLoginAt,
        @JsonIgnore long version) {
    /** The account in this host, as decisions about rights see it. */
    Account account(UUID host) {
        return new Account(host, id, version, username, role.equals("admin"), active, timeZone, language, null);
    }
}
