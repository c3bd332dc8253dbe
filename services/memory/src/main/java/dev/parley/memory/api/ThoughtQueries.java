package dev.parley.memory.api;

import dev.parley.memory.api.MentalModelJson.VersionJson;
import dev.parley.memory.api.ReflectJson.ReflectionJson;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.Cursor;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Queries of directives, reflections and mental models. */
@Singleton
@Requires(property = "parley.role.memory", value = "true")
final class ThoughtQueries extends Queries {
    private final DirectiveRows directives;

    ThoughtQueries(Database database, DirectiveRows directives) {
        super(database);
        this.directives = directives;
    }

    /** All directives, by descending priority. */
    List<DirectiveJson> directives(Bank bank) {
        return database.in(bank.tenant(), () -> directives.findOf(bank.ref().host(), bank.id()));
    }

    /** A page of reflections, the newest first. */
    List<ReflectionJson> reflections(Bank bank, @Nullable Cursor after, int limit) {
        var select = of(bank, "f", "SELECT " + ReflectionJson.COLUMNS + " FROM memory.agent_memory_reflection_t f");
        if (after != null) {
            select.with(
                    "AND f.update_ts <= ? AND (f.update_ts < ? OR f.reflection_id < ?)",
                    after.time(),
                    after.time(),
                    after.id());
        }
        return all(
                bank,
                select.with("ORDER BY f.update_ts DESC, f.reflection_id DESC LIMIT ?", limit),
                ReflectionJson::of);
    }

    /** All mental models, by name. */
    List<MentalModelJson> mentalModels(Bank bank) {
        return all(bank, mentalModel(bank).with("ORDER BY m.name"), MentalModelJson::of);
    }

    /** A mental model with its versions. */
    Optional<MentalModelJson> mentalModel(Bank bank, UUID id) {
        var versions = of(bank, "v", "SELECT " + VersionJson.COLUMNS + " FROM memory.agent_memory_unit_version_t v")
                .with("AND v.unit_id = ? ORDER BY v.version DESC", id);
        return first(bank, mentalModel(bank).with("AND m.mental_model_id = ?", id), MentalModelJson::of)
                .map(model -> model.withVersions(all(bank, versions, VersionJson::of)));
    }

    private static Select mentalModel(Bank bank) {
        return of(
                bank,
                "m",
                "SELECT " + MentalModelJson.COLUMNS + " FROM memory.agent_memory_mental_model_t m"
                        + " LEFT JOIN memory.agent_memory_unit_t u ON u.host_id = m.host_id AND u.bank_id = m.bank_id"
                        + " AND u.unit_id = m.mental_model_id AND u.active");
    }
}
