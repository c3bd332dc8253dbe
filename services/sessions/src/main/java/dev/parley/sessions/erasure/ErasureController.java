package dev.parley.sessions.erasure;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Receipts of erasures. */
@Controller("/v1/erasures")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Erasures", description = "Erasures and their progress.")
class ErasureController {
    private final Erasures erasures;

    ErasureController(Erasures erasures) {
        this.erasures = erasures;
    }

    /**
     * List erasures. Erasures, newest first: those requested by the caller; for administrators, all of the host.
     *
     * @return A page of erasures.
     */
    @Get
    @Authenticated
    Page<Receipt> list(@Nullable @QueryValue Integer limit, @Nullable @QueryValue String cursor, Caller caller) {
        int max = Cursor.limit(limit);
        List<Receipt> rows = erasures.receipts(
                caller.host(), caller.may(Capability.HOST_AUDIT) ? null : caller.user(), max, Cursor.parse(cursor));
        return Page.of(rows, max, row -> row, row -> Cursor.of(row.requestedAt(), row.id()));
    }

    /**
     * Get an erasure. Only for the requester and administrators.
     *
     * @return The erasure.
     */
    @Get("/{id}")
    @Authenticated
    Receipt show(@PathVariable UUID id, Caller caller) {
        return erasures.receipt(caller.host(), id)
                .filter(receipt -> caller.may(Capability.HOST_AUDIT)
                        || receipt.requestedBy() == null // of a user or project: only the requester knows its id
                        || receipt.requestedBy().equals(caller.user()))
                .orElseThrow(() -> ApiException.notFound("unknown_erasure", "There is no erasure " + id));
    }
}
