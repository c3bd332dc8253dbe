package dev.parley.memory.api;

import dev.parley.domain.Coded;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.RetireUnit;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.UnitJson.RelationsJson;
import dev.parley.memory.api.UnitJson.RetireJson;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.AuditComment;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Erasing;
import dev.parley.platform.http.Page;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Memory units: list, show, retire, erase. */
@Controller("/v1/banks/{bank}/units")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class UnitController {
    private static final int MAX_RELATED = 200;

    private final BankService service;
    private final MemoryUnitRows units;
    private final LinkRows links;
    private final UnitPages pages;

    UnitController(BankService service, MemoryUnitRows units, LinkRows links, UnitPages pages) {
        this.service = service;
        this.units = units;
        this.links = links;
        this.pages = pages;
    }

    /**
     * List units. Units, newest first, by when they happened or, if unknown, were said.
     *
     * @param type Only units of this type: world, experience, opinion, observation or mental_model.
     * @param tag Only units with this tag.
     * @param entity Only units about the entity with this id.
     * @param document Only units found in the document with this id.
     * @param from Only units with this date or a later one.
     * @param to Only units with an earlier date.
     * @param text A substring of the text, ignoring case.
     * @param state Only units in this state: held or retired. Defaults to held.
     * @return A page of units.
     */
    @Get
    @Authenticated
    @Operation(operationId = "listUnits")
    Page<UnitJson> list(
            @PathVariable UUID bank,
            @Nullable @QueryValue String type,
            @Nullable @QueryValue String tag,
            @Nullable @QueryValue UUID entity,
            @Nullable @QueryValue UUID document,
            @Nullable @QueryValue Instant from,
            @Nullable @QueryValue Instant to,
            @Nullable @QueryValue String text,
            @Nullable @QueryValue String state,
            @Parameter(description = BankService.FRESH) @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        if (type != null && Coded.of(FactType.class, type).isEmpty()) {
            throw ApiException.badRequest(
                    "invalid_type", "A 'type' is world, experience, opinion, observation or mental_model");
        }
        if (state != null && !state.equals("held") && !state.equals("retired")) {
            throw ApiException.badRequest("invalid_state", "A 'state' is held or retired");
        }
        if (from != null && to != null && to.isBefore(from)) {
            throw ApiException.badRequest("invalid_field", "'to' is before 'from'");
        }
        var filter = new UnitFilter(type, tag, entity, document, from, to, text, "retired".equals(state));
        return pages.page(caller, bank, filter, fresh, limit, cursor);
    }

    /**
     * Get a unit. The unit with its origin, entities, sources and derived units; also for retired units.
     *
     * @return The unit.
     */
    @Get("/{unit}")
    @Authenticated
    @Operation(operationId = "getUnit")
    UnitJson get(@PathVariable UUID bank, @PathVariable UUID unit, Caller caller) {
        return unit(service.bank(caller, bank, Doing.READ), unit);
    }

    private UnitJson unit(Bank bank, UUID unit) {
        return service.eventually(
                () -> service.read(
                        bank,
                        () -> units.find(bank.host(), bank.id(), unit)
                                .map(found -> found.withRelations(relations(bank.host(), bank.id(), unit)))),
                "unit");
    }

    private RelationsJson relations(UUID host, UUID bank, UUID id) {
        return new RelationsJson(
                links.findEntities(host, bank, id, MAX_RELATED),
                links.findLinks(host, bank, id, MAX_RELATED),
                links.findDerived(host, bank, id, MAX_RELATED),
                links.findReplaced(host, bank, id, MAX_RELATED));
    }

    /**
     * Retire a unit. The unit and the reason are kept. What is derived from it is rebuilt or also retired.
     *
     * @return The unit.
     */
    @Post("/{unit}/retire")
    @Authenticated
    @Audited(source = "bank", action = "retire")
    @Operation(operationId = "retireUnit")
    UnitJson retire(@PathVariable UUID bank, @PathVariable UUID unit, @Body RetireJson body, Caller caller) {
        String reason = AuditComment.of("reason", body.reason());
        if (reason == null) {
            throw ApiException.badRequest("missing_field", "The field 'reason' is missing");
        }
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new RetireUnit(meta, found.ref(), unit, reason));
        return unit(found, unit);
    }

    /**
     * Erase a unit. Erases the unit and everything derived from it. Its document stays and is erased separately. This
     * cannot be undone.
     */
    @Delete("/{unit}")
    @Authenticated
    @Audited(source = "bank", action = "forget-unit")
    @Operation(operationId = "eraseUnit")
    @ApiResponse(
            responseCode = "202",
            description = "The unit was erased from the bank and the tables; the receipt shows the rest.")
    HttpResponse<Erasing> erase(@PathVariable UUID bank, @PathVariable UUID unit, Caller caller) {
        return service.forget(caller, bank, Forget.What.UNIT, unit);
    }
}
