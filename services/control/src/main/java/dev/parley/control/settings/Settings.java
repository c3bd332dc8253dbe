package dev.parley.control.settings;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.Published;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The settings of a host, and the budgets of its projects and people; they hold from the next turn on, without a restart. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class Settings {
    private static final String SELECT =
            "SELECT name, value, update_ts, active, aggregate_version FROM control.setting_t WHERE host_id = ? ";

    /** Settings that Parley does not read: bytes of one, and how many of a host. */
    private static final int MOST_BYTES = 16 << 10;

    private static final int MOST_OWN = 200;

    private static final String OWN = "host_id = ? AND strpos(name, '/') = 0 AND name <> ALL (?)";

    /** Of those that were cleared, the newest are kept. */
    private static final String FORGET = """
            DELETE FROM control.setting_t WHERE NOT active AND host_id = ? AND name IN (
              SELECT name FROM control.setting_t WHERE NOT active AND %s ORDER BY update_ts DESC, name OFFSET %d)
            """.formatted(OWN, MOST_OWN);

    private final Database database;
    private final Published published;

    Settings(Database database, Published published) {
        this.database = database;
        this.published = published;
    }

    /** A setting. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Setting", description = "A setting of the host.")
    record SettingJson(
            String name,
            JsonNode value,

            @Schema(description = "Whether Parley reads it; others are kept for those who manage the host.")
            boolean known,

            @Schema(description = "What it does, where Parley reads it.") @Nullable
            String description,

            @Schema(description = "The JSON Schema of its values, where Parley reads it.", type = "object") @Nullable
            JsonNode schema,

            Instant updatedAt,

            @Schema(description = "false: it was cleared, and does not hold.")
            boolean active,

            @JsonIgnore long version) {
        static SettingJson of(ResultSet row) throws SQLException {
            String name = row.getString("name");
            KnownSetting known =
                    KnownSetting.isOfHost(name) ? KnownSetting.of(name).orElse(null) : KnownSetting.BUDGET;
            return new SettingJson(
                    name,
                    Columns.json(row, "value"),
                    known != null,
                    known == null ? null : known.description(),
                    known == null ? null : Columns.tree(known.schema()),
                    Columns.time(row, "update_ts"),
                    row.getBoolean("active"),
                    row.getLong("aggregate_version"));
        }
    }

    /** Those of the host itself; what was cleared only when asked for. */
    List<SettingJson> list(Caller caller, boolean inactive) {
        return database.in(
                caller.tenant(),
                transaction -> transaction.query(
                        SELECT + "AND strpos(name, '/') = 0 AND (active OR ?) ORDER BY name",
                        row -> Columns.all(row, SettingJson::of),
                        caller.host(),
                        inactive));
    }

    Optional<SettingJson> find(Caller caller, String name) {
        return database.in(caller.tenant(), transaction -> find(transaction, caller, name));
    }

    private static Optional<SettingJson> find(Transaction transaction, Caller caller, String name) {
        return transaction.query(
                SELECT + "AND active AND name = ?", row -> Columns.first(row, SettingJson::of), caller.host(), name);
    }

    /**
     * Sets it; where it is set already, for whoever saw that version.
     *
     * @param project whose it is, or null for the host's and people's
     */
    SettingJson set(Caller caller, @Nullable UUID project, String name, JsonNode value, @Nullable String ifMatch) {
        String text = checked(value);
        SettingJson set = database.in(caller.tenant(), transaction -> {
            locked(transaction, caller, name)
                    .ifPresentOrElse(
                            before -> IfMatch.check(ifMatch, before.version()),
                            () -> requireRoom(transaction, caller, name));
            transaction.update("""
                    INSERT INTO control.setting_t AS s (host_id, name, value, update_user) VALUES (?, ?, ?::jsonb, ?)
                    ON CONFLICT (host_id, name) DO UPDATE SET value = excluded.value, active = true,
                      aggregate_version = s.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
                    """, caller.host(), name, text, caller.user());
            Audit.add(transaction, Entry.done(caller.host(), project, "setting", "set", name, caller.user()));
            return find(transaction, caller, name).orElseThrow();
        });
        published.await(Setting.key(caller.host(), name), KnownSetting.isRead(name) ? set.version() : null);
        return set;
    }

    private static String checked(JsonNode value) {
        String text = Columns.storable(value);
        if (text.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw ApiException.tooLarge("A setting has at most " + MOST_BYTES + " bytes of JSON");
        }
        return text;
    }

    private static void requireRoom(Transaction transaction, Caller caller, String name) {
        if (!KnownSetting.isRead(name)) {
            Quota.check(
                    transaction,
                    MOST_OWN,
                    "settings that Parley does not read",
                    "SELECT FROM control.setting_t WHERE active AND " + OWN,
                    caller.host(),
                    known());
        }
    }

    /** An array, as SQL takes it. */
    private static Object known() {
        return KnownSetting.codes().toArray(String[]::new);
    }

    private static Optional<SettingJson> locked(Transaction transaction, Caller caller, String name) {
        transaction.query(
                "SELECT FROM control.setting_t WHERE host_id = ? AND name = ? FOR UPDATE",
                row -> true,
                caller.host(),
                name);
        return find(transaction, caller, name);
    }

    /** Goes back to what holds without it. */
    void clear(Caller caller, @Nullable UUID project, String name, @Nullable String ifMatch) {
        database.in(caller.tenant(), transaction -> {
            SettingJson before = locked(transaction, caller, name)
                    .orElseThrow(
                            () -> ApiException.notFound("unknown_setting", "The setting '" + name + "' is not set"));
            IfMatch.check(ifMatch, before.version());
            transaction.update("""
                    UPDATE control.setting_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(),
                      update_user = ? WHERE host_id = ? AND name = ?
                    """, caller.user(), caller.host(), name);
            transaction.update(FORGET, caller.host(), caller.host(), known());
            Audit.add(transaction, Entry.done(caller.host(), project, "setting", "clear", name, caller.user()));
            return null;
        });
        published.await(Setting.key(caller.host(), name), null);
    }
}
