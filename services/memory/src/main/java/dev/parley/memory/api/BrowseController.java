package dev.parley.memory.api;

import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.GraphJson.EdgeJson;
import dev.parley.memory.api.GraphJson.NodeJson;
import dev.parley.memory.api.UnitJson.LinkJson;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import dev.parley.platform.kafka.Topics;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The memory graph of a bank, and receipts of erasures. */
@Controller("/v1/banks/{bank}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class BrowseController {
    private final BankService service;
    private final MemoryUnitRows units;
    private final EntityRows entities;
    private final LinkRows links;
    private final ReceiptRows receipts;

    BrowseController(
            BankService service, MemoryUnitRows units, EntityRows entities, LinkRows links, ReceiptRows receipts) {
        this.service = service;
        this.units = units;
        this.entities = entities;
        this.links = links;
        this.receipts = receipts;
    }

    /**
     * Get the memory graph. The units linked with a unit, the newest units about an entity or, without either, the
     * newest units.
     *
     * @param limit Maximum number of units, 1 to 200. Defaults to 50.
     * @return Nodes and edges of the graph.
     */
    @Get("/graph")
    @Authenticated
    @Operation(operationId = "getMemoryGraph")
    GraphJson graph(
            @PathVariable UUID bank,
            @Nullable @QueryValue UUID unit,
            @Nullable @QueryValue UUID entity,
            @Nullable @QueryValue Integer limit,
            Caller caller) {
        int pageSize = Cursor.limit(limit);
        if (unit != null && entity != null) {
            throw ApiException.badRequest("invalid_value", "'unit' and 'entity' cannot be combined");
        }
        Bank found = service.bank(caller, bank, Doing.READ);
        if (unit != null) {
            service.eventually(() -> service.read(found, () -> units.find(found.host(), bank, unit)), "unit");
        }
        if (entity != null) {
            service.eventually(() -> service.read(found, () -> entities.find(found.host(), bank, entity)), "entity");
        }
        return service.read(found, () -> graph(found.host(), bank, around(found.host(), bank, unit, entity, pageSize)));
    }

    /** A unit with those linked with it, the newest units about an entity, or the newest units. */
    private List<UUID> around(UUID host, UUID bank, @Nullable UUID unit, @Nullable UUID entity, int limit) {
        if (unit != null) {
            Stream<UUID> linked =
                    links.findLinks(host, bank, unit, limit).stream().map(LinkJson::unit);
            return Stream.concat(Stream.of(unit), linked)
                    .distinct()
                    .limit(limit)
                    .toList();
        }
        return entity == null ? links.findNewest(host, bank, limit) : links.findAbout(host, bank, entity, limit);
    }

    /** Units with their links and entities. */
    private GraphJson graph(UUID host, UUID bank, List<UUID> units) {
        var nodes = new ArrayList<>(links.findNodes(host, bank, units));
        var edges = new ArrayList<>(links.findEdges(host, bank, units));
        var mentioned = new LinkedHashMap<UUID, NodeJson>();
        for (LinkRows.Mention mention : links.findMentions(host, bank, units)) {
            UUID id = mention.entity();
            edges.add(new EdgeJson(mention.unit(), id, "entity", 1));
            mentioned.put(id, new NodeJson(id, "entity", null, mention.name(), null));
        }
        nodes.addAll(mentioned.values());
        return new GraphJson(nodes, edges);
    }

    /**
     * List erasure receipts. Receipts, newest first.
     *
     * @return A page of receipts.
     */
    @Get("/erasures")
    @Authenticated
    @Operation(operationId = "listMemoryReceipts")
    Page<ReceiptJson> receipts(
            @PathVariable UUID bank,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        Bank found = service.bank(caller, bank, Doing.READ);
        Long before = Cursor.firstNumberOf(after);
        List<ReceiptJson> rows =
                service.list(found, () -> receipts.page(found.host(), bank, keptSeconds(), before, pageSize + 1));
        return Page.of(rows, pageSize, row -> row, row -> Cursor.of(row.seq(), row.id()));
    }

    /**
     * Get an erasure receipt.
     *
     * @return The receipt.
     */
    @Get("/erasures/{id}")
    @Authenticated
    @Operation(operationId = "getMemoryReceipt")
    ReceiptJson receipt(@PathVariable UUID bank, @PathVariable UUID id, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.READ);
        return service.eventually(
                () -> service.read(found, () -> receipts.find(found.host(), bank, keptSeconds(), id)), "receipt");
    }

    private static long keptSeconds() {
        return Topics.logKept().toSeconds();
    }
}
