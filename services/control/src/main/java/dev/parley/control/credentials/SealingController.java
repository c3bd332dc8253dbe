package dev.parley.control.credentials;

import dev.parley.control.credentials.SealedRows.Count;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.sealing.Sealing;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts of sealed credentials by master key; they tell an operator when an old key can be removed. */
@Controller("/v1/credentials/sealing")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Credentials")
class SealingController {
    private final Database database;
    private final SealedRows rows;
    private final Sealing sealing;

    SealingController(Database database, SealedRows rows, Sealing sealing) {
        this.rows = rows;
        this.database = database;
        this.sealing = sealing;
    }

    /**
     * State of the sealing of all hosts' credentials.
     *
     * @param current Id of the current master key.
     * @param waiting Number of credentials sealed by other keys that will be resealed by the current one.
     */
    @Serdeable
    @Schema(name = "Sealing")
    record SealingJson(String current, long waiting, List<KeyJson> keys) {}

    /**
     * A master key; its id is derived from it.
     *
     * @param present True if this process has the key.
     * @param credentials Number of credentials sealed by the key. A key with 0 that is not the current one is not
     *     needed.
     */
    @Serdeable
    @Schema(name = "MasterKey")
    record KeyJson(String id, boolean present, long credentials) {}

    /**
     * Get the sealing of credentials. Counts of sealed credentials by master key, for all hosts.
     *
     * @return The counts.
     */
    @Get
    @RequiresCapability(Capability.SETTING_MANAGE)
    SealingJson show() {
        Map<Long, Long> counts = database.in(Tenant.ALL, rows::counts).stream()
                .collect(Collectors.toMap(Count::key, Count::credentials));
        var keys = Stream.concat(
                        sealing.ids().stream(), counts.keySet().stream().sorted())
                .distinct()
                .map(id -> new KeyJson(Long.toString(id), sealing.ids().contains(id), counts.getOrDefault(id, 0L)))
                .toList();
        long total = counts.values().stream().mapToLong(Long::longValue).sum();
        long current = counts.getOrDefault(sealing.first(), 0L);
        return new SealingJson(Long.toString(sealing.first()), total - current, keys);
    }
}
