package dev.parley.memory.api;

import dev.parley.memory.api.BankService.Doing;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The memory graph of a bank, and receipts of erasures. */
@Controller("/v1/banks/{bank}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.memory", value = "true")
@Tag(name = "Banks")
class BrowseController {
    private final BankService service;
    private final UnitQueries units;
    private final EntityQueries entities;
    private final BankQueries banks;

    BrowseController(BankService service, UnitQueries units, EntityQueries entities, BankQueries banks) {
        this.service = service;
        this.units = units;
        this.entities = entities;
        this.banks = banks;
    }

    @Get("/graph")
    @Authenticated
    @Operation(
            operationId = "getMemoryGraph",
            summary = "Get the memory graph",
            description = "The units linked with a unit, the newest units about an entity or, without either, "
                    + "the newest units.")
    @ApiResponse(responseCode = "200", description = "Nodes and edges of the graph.")
    GraphJson graph(
            @PathVariable UUID bank,
            @Nullable @QueryValue UUID unit,
            @Nullable @QueryValue UUID entity,
            @Parameter(description = "Maximum number of units, 1 to 200. Defaults to 50.") @Nullable @QueryValue
                    Integer limit,
            @Parameter(hidden = true) Caller caller) {
        int pageSize = Cursor.limit(limit);
        if (unit != null && entity != null) {
            throw ApiException.badRequest("invalid_value", "'unit' and 'entity' cannot be combined");
        }
        Bank found = service.bank(caller, bank, Doing.READ);
        if (unit != null) {
            service.eventually(() -> units.unit(found, unit), "unit");
        }
        if (entity != null) {
            service.eventually(() -> entities.entity(found, entity), "entity");
        }
        return entities.graph(found, unit, entity, pageSize);
    }

    @Get("/erasures")
    @Authenticated
    @Operation(
            operationId = "listMemoryReceipts",
            summary = "List erasure receipts",
            description = "Receipts, newest first.")
    @ApiResponse(responseCode = "200", description = "A page of receipts.")
    Page<ReceiptJson> receipts(
            @PathVariable UUID bank,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        Bank found = service.bank(caller, bank, Doing.READ);
        List<ReceiptJson> rows = banks.receipts(found, after == null ? null : after.firstNumber(), pageSize + 1);
        return Page.of(rows, pageSize, row -> row, row -> Cursor.of(row.seq(), row.id()));
    }

    /** Shows a receipt. */
    @Get("/erasures/{id}")
    @Authenticated
    @Operation(operationId = "getMemoryReceipt", summary = "Get an erasure receipt")
    @ApiResponse(responseCode = "200", description = "The receipt.")
    ReceiptJson receipt(@PathVariable UUID bank, @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        Bank found = service.bank(caller, bank, Doing.READ);
        return service.eventually(() -> banks.receipt(found, id), "receipt");
    }
}
