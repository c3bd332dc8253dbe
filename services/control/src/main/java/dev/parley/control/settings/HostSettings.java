package dev.parley.control.settings;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.http.Quota;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a host, and budgets of its projects and people. Changes apply from the next turn on, without a
 * restart.
 */
@Singleton
final class HostSettings {
    private static final int MAX_BYTES = 16 << 10;

    /** Maximum settings of a host that Parley does not read, and maximum cleared ones that are kept, the newest. */
    private static final int MAX_OWN = 200;

    private final Database database;
    private final Audit audit;
    private final SettingRows rows;
    private final PublicationBarrier published;

    HostSettings(Database database, SettingRows rows, PublicationBarrier published, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
    }

    /**
     * A setting of the host.
     *
     * @param known True if Parley reads the setting; others are stored for those who manage the host.
     * @param description Effect of the setting; null if Parley does not read it.
     * @param active False if the setting was cleared and does not apply.
     */
    @Serdeable
    @Schema(name = "Setting")
    record SettingJson(
            String name,
            JsonNode value,
            boolean known,
            @Nullable String description,

            @Schema(
                    description = "JSON Schema of the setting's values; null if Parley does not read it.",
                    type = "object")
            @Nullable
            JsonNode schema,

            Instant updatedAt,
            boolean active,
            @JsonIgnore long version) {
        static SettingJson of(SettingRow row) {
            HostSetting setting = HostSetting.isOfHost(row.name())
                    ? HostSetting.of(row.name()).orElse(null)
                    : HostSetting.BUDGET;
            return new SettingJson(
                    row.name(),
                    JsonColumns.tree(row.value()),
                    setting != null,
                    setting == null ? null : setting.description(),
                    setting == null ? null : JsonColumns.tree(setting.schema()),
                    row.updatedAt(),
                    row.active(),
                    row.version());
        }
    }

    /** The settings of the host itself. */
    List<SettingJson> list(Caller caller, boolean inactive) {
        return database.in(caller.tenant(), () -> rows.ofHost(caller.host(), inactive)).stream()
                .map(SettingJson::of)
                .toList();
    }

    Optional<SettingJson> find(Caller caller, String name) {
        return database.in(caller.tenant(), () -> rows.findByHostIdAndNameAndActiveTrue(caller.host(), name))
                .map(SettingJson::of);
    }

    /** The user who set a setting; empty where it is not set. */
    Optional<UUID> setter(Caller caller, String name) {
        return database.in(caller.tenant(), () -> rows.setter(caller.host(), name))
                .filter(Ids::isId)
                .map(Ids::parse);
    }

    /**
     * Sets a setting; If-Match is checked where the setting exists.
     *
     * @param project of a project's budget, or null
     */
    SettingJson set(Caller caller, @Nullable UUID project, String name, JsonNode value, @Nullable String ifMatch) {
        String text = requireStorable(value);
        SettingRow set = database.in(caller.tenant(), transaction -> {
            rows.findByHostIdAndNameAndActiveTrueForUpdate(caller.host(), name)
                    .ifPresentOrElse(
                            before -> IfMatch.check(ifMatch, before.version()),
                            () -> requireRoom(transaction, caller, name));
            audit.add(Entry.done(caller.host(), project, "setting", "set", name, caller.user()));
            return rows.set(caller.host(), name, text, caller.user());
        });
        published.await(Setting.key(caller.host(), name), HostSetting.isRead(name) ? set.version() : null);
        return SettingJson.of(set);
    }

    private static String requireStorable(JsonNode value) {
        String text = JsonColumns.storable(value);
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw ApiException.tooLarge("A setting must have at most " + MAX_BYTES + " bytes of JSON");
        }
        return text;
    }

    private void requireRoom(Transaction transaction, Caller caller, String name) {
        if (!HostSetting.isRead(name)) {
            Quota.check(
                    transaction,
                    caller.host(),
                    () -> rows.countOwn(caller.host(), HostSetting.codes()),
                    MAX_OWN,
                    "settings that Parley does not read");
        }
    }

    /** Clears a setting. */
    void clear(Caller caller, @Nullable UUID project, String name, @Nullable String ifMatch) {
        database.in(caller.tenant(), () -> {
            SettingRow before = rows.findByHostIdAndNameAndActiveTrueForUpdate(caller.host(), name)
                    .orElseThrow(
                            () -> ApiException.notFound("unknown_setting", "The setting '" + name + "' is not set"));
            IfMatch.check(ifMatch, before.version());
            rows.clear(caller.host(), name, caller.user());
            rows.purge(caller.host(), HostSetting.codes(), MAX_OWN);
            audit.add(Entry.done(caller.host(), project, "setting", "clear", name, caller.user()));
        });
        published.await(Setting.key(caller.host(), name), null);
    }
}
