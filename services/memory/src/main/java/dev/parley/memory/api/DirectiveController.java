package dev.parley.memory.api;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.MemoryCommand.RemoveDirective;
import dev.parley.domain.memory.MemoryCommand.SetDirective;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.DirectiveJson.SetJson;
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
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Directives: hard rules for the reflections of a bank. */
@Controller("/v1/banks/{bank}/directives")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class DirectiveController {
    private final BankService service;
    private final DirectiveRows directives;

    DirectiveController(BankService service, DirectiveRows directives) {
        this.service = service;
        this.directives = directives;
    }

    /**
     * List directives. All directives in one page, highest priority first.
     *
     * @return The directives.
     */
    @Get
    @Authenticated
    @Operation(operationId = "listDirectives")
    Page<DirectiveJson> list(@PathVariable UUID bank, Caller caller) {
        return new Page<>(directives(service.bank(caller, bank, Doing.READ)), null);
    }

    private List<DirectiveJson> directives(Bank bank) {
        return service.read(bank, () -> directives.findOf(bank.host(), bank.id()));
    }

    /**
     * Create or replace a directive. Identified by its name of 1 to 256 characters. A bank has at most 100 directives.
     *
     * @return The directive.
     */
    @Put("/{name}")
    @Authenticated
    @Audited(source = "bank", action = "set-directive")
    @Operation(operationId = "setDirective")
    DirectiveJson set(@PathVariable UUID bank, @PathVariable String name, @Body SetJson body, Caller caller) {
        Directive directive = directive(bank, name, body);
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new SetDirective(meta, found.ref(), directive));
        return service.eventually(
                () -> directives(found).stream()
                        .filter(candidate -> candidate.name().equals(name))
                        .findFirst(),
                "directive");
    }

    private static UUID id(UUID bank, String name) {
        return Ids.of("directive", bank, name);
    }

    private static Directive directive(UUID bank, String name, SetJson body) {
        try {
            return new Directive(
                    id(bank, name),
                    ReadableText.require("name", name),
                    Objects.requireNonNullElse(body.content(), ""),
                    Objects.requireNonNullElse(body.priority(), 0),
                    !Boolean.FALSE.equals(body.active()));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_directive", "Invalid directive: " + e.getMessage());
        }
    }

    /** Delete a directive. */
    @Delete("/{name}")
    @Authenticated
    @Audited(source = "bank", action = "remove-directive")
    @Operation(operationId = "removeDirective")
    @ApiResponse(responseCode = "204", description = "The directive was deleted.")
    HttpResponse<Void> remove(@PathVariable UUID bank, @PathVariable String name, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new RemoveDirective(meta, found.ref(), id(bank, name)));
        return HttpResponse.noContent();
    }
}
