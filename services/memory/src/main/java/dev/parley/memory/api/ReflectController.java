package dev.parley.memory.api;

import dev.parley.domain.Coded;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.MemoryCommand.Reflect;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.BankClient;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.ReflectJson.ConcludedJson;
import dev.parley.memory.api.ReflectJson.ReflectionJson;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
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
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reflection: a bank answers a question from its memories. Lists earlier reflections. */
@Controller("/v1/banks/{bank}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class ReflectController {
    /** Longer than a reflection takes: by then the rule-based fallback has answered. */
    private static final Duration TIMEOUT = Duration.ofSeconds(135);

    private final BankService service;
    private final BankClient client;
    private final ReflectionRows reflections;

    ReflectController(BankService service, BankClient client, ReflectionRows reflections) {
        this.service = service;
        this.client = client;
        this.reflections = reflections;
    }

    /**
     * Reflect on a question. Answers from what the bank knows, with the sources, within two minutes. The answer is kept
     * and found by later questions. The bank's own model answers; without one, rules quote the sources word for word.
     *
     * @return The answer, or the directive because of which it is withheld.
     */
    @Post("/reflect")
    @Authenticated
    @Audited(source = "bank", action = "reflect")
    @Operation(operationId = "reflect")
    @ApiResponse(responseCode = "429", description = "The bank is busy with other reflections; try again later.")
    ConcludedJson reflect(@PathVariable UUID bank, @Body ReflectJson body, Caller caller) {
        List<FactType> types = types(body.types());
        List<String> tags = RetainRequest.tags(body.tags());
        Bank found = service.bank(caller, bank, Doing.WRITE);
        var reflect = new Reflect(
                client.meta(UUID.randomUUID(), caller.host(), caller.user()),
                found.ref(),
                Objects.requireNonNullElse(body.question(), ""),
                body.context(),
                null,
                tags,
                types,
                Objects.requireNonNullElse(body.maxTokens(), Reflect.DEFAULT_TOKENS),
                null);
        List<Optional<Outcome>> outcomes =
                BankService.waiting(() -> client.sendAll(List.of(reflect), Deadline.in(TIMEOUT)));
        return switch (outcomes.getFirst().orElse(null)) {
            case Outcome.Concluded concluded -> ConcludedJson.of(concluded);
            case Outcome.Refused refused -> throw BankService.problem(refused);
            case null, default -> throw BankService.later("unavailable", "The bank does not answer in time");
        };
    }

    private static List<FactType> types(@Nullable List<String> codes) {
        return codes == null
                ? List.of()
                : codes.stream()
                        .map(code -> Coded.of(FactType.class, String.valueOf(code))
                                .orElseThrow(() -> ApiException.badRequest(
                                        "invalid_field",
                                        "The field 'types' is a list of world, experience, opinion,"
                                                + " observation, mental_model")))
                        .distinct()
                        .toList();
    }

    /**
     * List reflections. Reflections, newest first, including those whose sources were superseded.
     *
     * @return A page of reflections.
     */
    @Get("/reflections")
    @Authenticated
    @Operation(operationId = "listReflections")
    Page<ReflectionJson> list(
            @PathVariable UUID bank,
            @Parameter(description = BankService.FRESH) @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        Bank found = service.bank(caller, bank, Doing.READ);
        service.freshen(fresh);
        List<ReflectionJson> rows = service.list(
                found,
                () -> reflections.page(
                        found.host(), found.id(), Cursor.timeOf(after), Cursor.idOf(after), pageSize + 1));
        return Page.of(rows, pageSize, row -> row, row -> Cursor.of(row.updatedAt(), row.id()));
    }
}
