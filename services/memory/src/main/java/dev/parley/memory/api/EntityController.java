package dev.parley.memory.api;

import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.EntityJson.NeighbourJson;
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
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Entities: people and things that units of a bank mention. */
@Controller("/v1/banks/{bank}/entities")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class EntityController {
    private final BankService service;
    private final EntityRows entities;
    private final LinkRows links;
    private final UnitPages units;

    EntityController(BankService service, EntityRows entities, LinkRows links, UnitPages units) {
        this.service = service;
        this.entities = entities;
        this.links = links;
        this.units = units;
    }

    /**
     * List entities. Entities, most mentioned first.
     *
     * @param name A substring of the name, ignoring case.
     * @return A page of entities.
     */
    @Get
    @Authenticated
    @Operation(operationId = "listEntities")
    Page<EntityJson> list(
            @PathVariable UUID bank,
            @Nullable @QueryValue String name,
            @Parameter(description = BankService.FRESH) @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        Bank found = service.bank(caller, bank, Doing.READ);
        service.freshen(fresh);
        List<EntityJson> rows = service.list(
                found,
                () -> entities.page(
                        found.host(), found.id(), name, Cursor.firstNumberOf(after), Cursor.idOf(after), pageSize + 1));
        return Page.of(rows, pageSize, row -> row, row -> Cursor.of(row.mentions(), row.id()));
    }

    /**
     * Get an entity.
     *
     * @return The entity.
     */
    @Get("/{entity}")
    @Authenticated
    @Operation(operationId = "getEntity")
    EntityJson get(@PathVariable UUID bank, @PathVariable UUID entity, Caller caller) {
        return entity(service.bank(caller, bank, Doing.READ), entity);
    }

    private EntityJson entity(Bank bank, UUID entity) {
        return service.eventually(
                () -> service.read(bank, () -> entities.find(bank.host(), bank.id(), entity)), "entity");
    }

    /**
     * List an entity's units. Units about a person or thing that the bank holds to be true, newest first.
     *
     * @return A page of units.
     */
    @Get("/{entity}/units")
    @Authenticated
    @Operation(operationId = "listUnitsOfEntity")
    Page<UnitJson> units(
            @PathVariable UUID bank,
            @PathVariable UUID entity,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        entity(service.bank(caller, bank, Doing.READ), entity);
        var filter = new UnitFilter(null, null, entity, null, null, null, null, false);
        return units.page(caller, bank, filter, null, limit, cursor);
    }

    /**
     * List an entity's neighbours. Entities mentioned most often together with this one, in one page.
     *
     * @return The neighbours.
     */
    @Get("/{entity}/neighbours")
    @Authenticated
    @Operation(operationId = "listNeighbours")
    Page<NeighbourJson> neighbours(
            @PathVariable UUID bank, @PathVariable UUID entity, @Nullable @QueryValue Integer limit, Caller caller) {
        int pageSize = Cursor.limit(limit);
        Bank found = service.bank(caller, bank, Doing.READ);
        entity(found, entity);
        return new Page<>(
                service.read(found, () -> links.findNeighbours(found.host(), found.id(), entity, pageSize)), null);
    }
}
