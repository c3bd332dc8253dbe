package dev.parley.memory.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Coded;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.language.time.TimeSpan;
import dev.parley.memory.BankClient;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.RecallJson.DuringJson;
import dev.parley.memory.api.RecallJson.RecalledJson;
import dev.parley.memory.recall.RecallExecutor.Answer;
import dev.parley.memory.recall.RecallQuestion;
import dev.parley.memory.recall.Retriever;
import dev.parley.memory.recall.TokenCounter;
import dev.parley.memory.search.ItemKind;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Recall from a bank. The bank itself answers, so documents retained a moment ago are found. */
@Controller("/v1/banks/{bank}/recall")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class RecallController {
    private static final int MIN_TOKENS = 10;
    private static final int MAX_TOKENS = 32_000;
    private static final ObjectMapper JSON = JsonMappers.stored();

    private final BankService service;
    private final BankClient client;

    RecallController(BankService service, BankClient client) {
        this.service = service;
        this.client = client;
    }

    /**
     * Recall memories. The memories that answer a query, within a token limit. They include documents retained a moment
     * ago.
     *
     * @param trace true: includes a trace of the search.
     * @return The memories found.
     */
    @Post
    @Authenticated
    @Operation(operationId = "recall")
    @ApiResponse(responseCode = "429", description = "Too many requests are waiting; try again later.")
    RecalledJson recall(
            @PathVariable UUID bank, @Body RecallJson body, @Nullable @QueryValue Boolean trace, Caller caller) {
        Deadline deadline = Deadline.in(BankService.OUTCOME_TIMEOUT);
        boolean traced = Boolean.TRUE.equals(trace) || Boolean.TRUE.equals(body.trace());
        checkCodes(body);
        Bank found = service.bank(caller, bank, Doing.READ);
        RecallRequest request = request(body, found, caller, traced, deadline.instant());
        Answer answer = BankService.waiting(() -> client.recall(request, found.seq(), deadline))
                .orElseThrow(RecallController::unavailable);
        return switch (answer.outcome()) {
            case Outcome.Recalled recalled -> json(recalled, answer.tokens());
            case Outcome.Refused refused -> throw BankService.problem(refused);
            default -> throw unavailable();
        };
    }

    private static ApiException unavailable() {
        return BankService.later("unavailable", "The bank does not answer in time");
    }

    private RecallRequest request(RecallJson body, Bank bank, Caller caller, boolean trace, Instant deadline) {
        int partition = client.partition()
                .orElseThrow(() -> BankService.later("unavailable", "This instance receives no outcomes now"));
        try {
            return request(body, bank, caller, trace, partition, deadline);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_question", "Invalid question: " + e.getMessage());
        }
    }

    private static RecallRequest request(
            RecallJson body, Bank bank, Caller caller, boolean trace, int partition, Instant deadline) {
        return new RecallRequest(
                UUID.randomUUID(),
                bank.ref(),
                caller.user(),
                Objects.requireNonNullElse(body.query(), ""),
                distinctTexts(body.kinds()),
                distinctTexts(body.types()).stream()
                        .flatMap(code -> Coded.of(FactType.class, code).stream())
                        .toList(),
                RetainRequest.tags(body.tags()),
                Boolean.TRUE.equals(body.allTags()),
                during(body.during()),
                body.asOf(),
                body.validAt(),
                distinctTexts(body.without()),
                List.of(),
                tokens(body.maxTokens()),
                trace,
                partition,
                deadline);
    }

    private static void checkCodes(RecallJson body) {
        check("types", body.types(), codes(FactType.values(), FactType::code));
        check("kinds", body.kinds(), codes(ItemKind.values(), ItemKind::code));
        check("without", body.without(), codes(Retriever.values(), Retriever::code));
    }

    private static <E> Set<String> codes(E[] values, Function<E, String> code) {
        return Arrays.stream(values).map(code).collect(Collectors.toSet());
    }

    private static void check(String field, @Nullable List<String> values, Set<String> allowed) {
        if (!allowed.containsAll(distinctTexts(values))) {
            throw ApiException.badRequest(
                    "invalid_field",
                    "The field '%s' is a list of %s".formatted(field, String.join(", ", new TreeSet<>(allowed))));
        }
    }

    private static List<String> distinctTexts(@Nullable List<String> list) {
        return list == null
                ? List.of()
                : list.stream().map(String::valueOf).distinct().toList();
    }

    private static @Nullable TimeSpan during(@Nullable DuringJson during) {
        if (during == null) {
            return null;
        }
        if (during.from() == null || during.to() == null) {
            throw ApiException.badRequest("missing_field", "'during' has a 'from' and a 'to'");
        }
        return new TimeSpan(during.from(), during.to());
    }

    private static int tokens(@Nullable Integer requested) {
        int tokens = Objects.requireNonNullElse(requested, RecallQuestion.TOKENS);
        if (tokens < MIN_TOKENS || tokens > MAX_TOKENS) {
            throw ApiException.badRequest(
                    "invalid_field", "The field 'maxTokens' is %d to %,d".formatted(MIN_TOKENS, MAX_TOKENS));
        }
        return tokens;
    }

    private static RecalledJson json(Outcome.Recalled recalled, OptionalInt tokens) {
        try {
            Map<String, List<Map<String, Object>>> found = JSON.readValue(recalled.json(), new TypeReference<>() {});
            Map<String, Object> trace =
                    recalled.trace() == null ? null : JSON.readValue(recalled.trace(), new TypeReference<>() {});
            return new RecalledJson(
                    found.getOrDefault("memories", List.of()),
                    tokens.orElseGet(() -> TokenCounter.of(recalled.json())),
                    recalled.known(),
                    trace);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the answer of a bank is not valid JSON", e);
        }
    }
}
