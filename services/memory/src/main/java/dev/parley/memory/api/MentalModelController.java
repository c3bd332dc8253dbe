package dev.parley.memory.api;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.MemoryCommand.RemoveMentalModel;
import dev.parley.domain.memory.MemoryCommand.SetMentalModel;
import dev.parley.domain.memory.MentalModel;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.MentalModelJson.SetJson;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.ReadableText;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

/** Mental models: standing questions whose answers a bank keeps up to date. */
@Controller("/v1/banks/{bank}/mental-models")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class MentalModelController {
    private final BankService service;
    private final MentalModelRows models;

    MentalModelController(BankService service, MentalModelRows models) {
        this.service = service;
        this.models = models;
    }

    /**
     * List mental models. All mental models in one page, ordered by name.
     *
     * @return The mental models.
     */
    @Get
    @Authenticated
    @Operation(operationId = "listMentalModels")
    Page<MentalModelJson> list(@PathVariable UUID bank, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.READ);
        return new Page<>(service.read(found, () -> models.findOf(found.host(), found.id())), null);
    }

    /**
     * Get a mental model. The mental model with its versions.
     *
     * @return The mental model.
     */
    @Get("/{name}")
    @Authenticated
    @Operation(operationId = "getMentalModel")
    MentalModelJson get(@PathVariable UUID bank, @PathVariable String name, Caller caller) {
        return modelJson(service.bank(caller, bank, Doing.READ), name);
    }

    private MentalModelJson modelJson(Bank bank, String name) {
        UUID id = id(bank.id(), name);
        return service.eventually(
                () -> service.read(
                        bank,
                        () -> models.find(bank.host(), bank.id(), id)
                                .map(model -> model.withVersions(models.findVersions(bank.host(), bank.id(), id)))),
                "mental_model");
    }

    /**
     * Create or replace a mental model. Identified by its name of 1 to 256 characters. A bank has at most 50 mental
     * models. The answer is created at once, and renewed when something that it is based on changes.
     *
     * @return The mental model.
     */
    @Put("/{name}")
    @Authenticated
    @Audited(source = "bank", action = "set-mental-model")
    @Operation(operationId = "setMentalModel")
    MentalModelJson set(@PathVariable UUID bank, @PathVariable String name, @Body SetJson body, Caller caller) {
        MentalModel model = model(bank, name, body);
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new SetMentalModel(meta, found.ref(), model));
        return modelJson(found, name);
    }

    private static UUID id(UUID bank, String name) {
        return Ids.of("mental model", bank, name);
    }

    private static MentalModel model(UUID bank, String name, SetJson body) {
        try {
            return new MentalModel(
                    id(bank, name),
                    ReadableText.require("name", name),
                    Objects.requireNonNullElse(body.question(), ""),
                    RetainRequest.tags(body.tags()),
                    body.restSeconds() == null ? MentalModel.DEFAULT_INTERVAL : Duration.ofSeconds(body.restSeconds()));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw ApiException.badRequest("invalid_mental_model", "Invalid mental model: " + e.getMessage());
        }
    }

    /** Delete a mental model. The answer is retired. */
    @Delete("/{name}")
    @Authenticated
    @Audited(source = "bank", action = "remove-mental-model")
    @Operation(operationId = "removeMentalModel")
    @ApiResponse(responseCode = "204", description = "The mental model was deleted.")
    HttpResponse<Void> remove(@PathVariable UUID bank, @PathVariable String name, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new RemoveMentalModel(meta, found.ref(), id(bank, name)));
        return HttpResponse.noContent();
    }
}
