package dev.parley.sessions.erasure;

import dev.parley.sessions.erasure.ErasureRows.ReceiptRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An erasure and its progress, without content.
 *
 * @param kind Kind of the erasure: session, user, project, or agent (the memories of a deleted agent).
 * @param subject Record key of the session, id of the user, key of the project, or name of the agent prefixed with its
 *     project key.
 * @param state State of the erasure: running or done.
 * @param waitingFor services that have not confirmed the removal
 * @param logCleanBy Time from which no log contains it; null until the erasure is done.
 */
@Serdeable
@Schema(name = "Erasure")
record Receipt(
        UUID id,
        String kind,
        String subject,
        String state,
        long sessions,
        long messages,
        long events,
        long files,
        List<String> waitingFor,
        @Nullable String requestedBy,
        Instant requestedAt,
        @Nullable Instant doneAt,
        @Nullable Instant logCleanBy) {
    static Receipt of(ReceiptRow row) {
        return new Receipt(
                row.erasureId(),
                row.kind(),
                row.subject(),
                row.state().equals("done") ? "done" : "running",
                row.sessions(),
                row.messages(),
                row.events(),
                row.files(),
                unconfirmedServices(row, ErasureRequest.Kind.valueOf(row.kind().toUpperCase(Locale.ROOT))),
                row.requestedBy(),
                row.requestedAt(),
                row.doneAt(),
                row.logCleanBy());
    }

    private static List<String> unconfirmedServices(ReceiptRow row, ErasureRequest.Kind kind) {
        var services = new ArrayList<String>();
        if (!row.state().equals("done")) {
            services.addAll(Erasures.SERVICES.getOrDefault(kind, List.of()));
            services.removeAll(List.of(row.services().split(",")));
            boolean isRequested = row.state().equals("asked") && kind != ErasureRequest.Kind.AGENT;
            if (row.openParts() > 0 || isRequested) {
                services.addFirst("sessions");
            }
        }
        return services;
    }
}
