package dev.parley.agents.model;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.budget.BudgetAdmission;
import dev.parley.agents.budget.BudgetAdmission.Admitted;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.ModelAnswered;
import dev.parley.domain.protocol.CallResult.ModelFailed;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.config.Price;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.Cancellation;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ModelExecutionTest {
    private final Model first = new Model("first");
    private final Model second = new Model("second");

    /** A provider that answers with its name, or fails. */
    private static final class Model implements ModelProvider {
        private final String name;
        private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
        private CountDownLatch until = new CountDownLatch(0);
        private @Nullable ErrorCategory failure;
        private String before = "";
        private String detail = "as it was told";

        Model(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation)
                throws ModelFailure, InterruptedException {
            requests.add(request);
            until.await();
            stream.text(before);
            if (failure != null) {
                throw new ModelFailure(failure, detail);
            }
            var usage = new Usage(1_000, 100, 0, 400, 0, null);
            return new ModelAnswer(List.of(Block.text(name)), FinishReason.STOP, usage, "m-2026-01-31", null);
        }
    }

    private ModelProviders providers(Price... prices) {
        return new ModelProviders(
                List.of(first, second),
                new Recordings(List.of(), new BlobStore(Path.of("none"), 0)),
                Prices.with(List.of(prices), AccessDirectory.NOTHING),
                Map.of("first", 600));
    }

    private CallResult run(ModelProviders providers) throws InterruptedException {
        return run(
                providers, Agents.of("first", "m", null, null, ThinkingLevel.NONE, Map.of("fallback", "second/other")));
    }

    private static CallResult run(ModelProviders providers, Agent agent) throws InterruptedException {
        var request = new ModelRequests().agent(agent).user("hello").request();
        return new ModelExecution(
                        request,
                        providers,
                        BudgetAdmission.NONE,
                        new CallContext("default/web:1", null, new Cancellation()),
                        new StreamRecorder(null))
                .run();
    }

    @Test
    void fallbackModelAnswersIfTheFirstFails() throws InterruptedException {
        for (ErrorCategory failure : List.of(ErrorCategory.OVERLOADED, ErrorCategory.AUTH, ErrorCategory.TIMEOUT)) {
            first.failure = failure;

            var answer = assertInstanceOf(ModelAnswered.class, run(providers()));

            assertEquals("second", Message.text(answer.blocks()));
            assertEquals("second", answer.provider());
            assertEquals("other", second.requests.getLast().agent().model());
            assertNull(second.requests.getLast().agent().apiKeyRef());
        }
    }

    @Test
    void invalidRequestDoesNotFallBack() throws InterruptedException {
        first.failure = ErrorCategory.INVALID_REQUEST;

        var failed = assertInstanceOf(ModelFailed.class, run(providers()));

        assertEquals(ErrorCategory.INVALID_REQUEST, failed.category());
        assertEquals(List.of(), second.requests);
    }

    @Test
    void partialAnswerDoesNotFallBack() throws InterruptedException {
        first.failure = ErrorCategory.NETWORK;
        first.before = "Once upon";

        var failed = assertInstanceOf(ModelFailed.class, run(providers()));

        assertEquals(ErrorCategory.NETWORK, failed.category());
        assertEquals("Once upon", Message.text(failed.partial()));
        assertEquals(List.of(), second.requests);
    }

    @Test
    void reportsTheFailureOfTheFirstModel() throws InterruptedException {
        first.failure = ErrorCategory.OVERLOADED;
        second.failure = ErrorCategory.AUTH;

        assertEquals(
                ErrorCategory.OVERLOADED,
                assertInstanceOf(ModelFailed.class, run(providers())).category());
    }

    @Test
    void skipsAProviderAfterTenFailures() throws InterruptedException {
        var providers = providers();
        first.failure = ErrorCategory.SERVER;
        for (int i = 0; i < 30; i++) {
            run(providers);
        }

        assertEquals(10, first.requests.size(), "after ten failures nobody asks it for a while");
        assertEquals(30, second.requests.size());
    }

    @Test
    void callWithoutAnAvailableModelIsRetriedLater() throws InterruptedException {
        // Given
        var providers = providers();
        first.failure = ErrorCategory.SERVER;
        second.failure = ErrorCategory.SERVER;
        for (int i = 0; i < 10; i++) {
            assertInstanceOf(ModelFailed.class, run(providers));
        }

        // When
        var retryAfter = assertInstanceOf(RetryAfter.class, run(providers));

        // Then
        assertTrue(retryAfter.delay().toSeconds() >= 10 && retryAfter.delay().toSeconds() <= 15, retryAfter.toString());
        assertEquals(10, first.requests.size());
    }

    @Test
    void callBeyondTheTrialsOfARecoveringModelIsRetriedLater() throws Exception {
        // Given
        var providers = new ModelProviders(
                List.of(first),
                new Recordings(List.of(), new BlobStore(Path.of("none"), 0)),
                Prices.with(List.of(), AccessDirectory.NOTHING),
                Map.of(),
                Duration.ofMillis(500));
        var agent = Agents.of("first", "m", null, null, ThinkingLevel.NONE, Map.of());
        first.failure = ErrorCategory.SERVER;
        for (int i = 0; i < 10; i++) {
            assertInstanceOf(ModelFailed.class, run(providers, agent));
        }
        await().until(() -> providers.pause(agent, UUID.randomUUID()).isEmpty());
        first.failure = null;
        var end = new CountDownLatch(1);
        first.until = end;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tried = new ArrayList<Future<CallResult>>();
            for (int i = 0; i < 3; i++) {
                tried.add(threads.submit(() -> run(providers, agent)));
            }
            await().until(() -> first.requests.size() == 13);

            // When
            CallResult fourth;
            try {
                fourth = run(providers, agent);
            } finally {
                end.countDown();
            }

            // Then
            assertInstanceOf(RetryAfter.class, fourth);
            for (Future<CallResult> call : tried) {
                assertInstanceOf(ModelAnswered.class, call.get(10, TimeUnit.SECONDS));
            }
            assertEquals(13, first.requests.size());
        }
    }

    @Test
    void retriesWithoutProviderItemsIfTheModelRejectsThem() throws InterruptedException {
        first.failure = ErrorCategory.INVALID_REQUEST;
        first.detail = "HTTP 400: The encrypted content could not be verified";

        assertInstanceOf(ModelFailed.class, run(providers()));

        assertEquals(2, first.requests.size());
        assertTrue(first.requests.getLast().messages().stream().allMatch(message -> message.provider() == null));
    }

    @Test
    void limitsCallsPerMinute() throws InterruptedException {
        // Given
        var providers = new ModelProviders(
                List.of(first, second),
                new Recordings(List.of(), new BlobStore(Path.of("none"), 0)),
                Prices.with(List.of(), AccessDirectory.NOTHING),
                Map.of("first", 2));
        var agent = Agents.of("first", "m", null, null, ThinkingLevel.NONE, Map.of());
        var request = new ModelRequests().agent(agent).user("hello").request();
        var context = new CallContext("default/web:1", null, new Cancellation());
        new ModelExecution(request, providers, BudgetAdmission.NONE, context, new StreamRecorder(null)).run();
        new ModelExecution(request, providers, BudgetAdmission.NONE, context, new StreamRecorder(null)).run();

        // When
        var retryAfter = assertInstanceOf(
                RetryAfter.class,
                new ModelExecution(request, providers, BudgetAdmission.NONE, context, new StreamRecorder(null)).run());

        // Then
        assertTrue(retryAfter.delay().toSeconds() <= 30, retryAfter.toString());
        assertEquals(2, first.requests.size());
    }

    @Test
    @Tag("I65")
    void pricesACallByItsModel() throws InterruptedException {
        // Given
        var price = new Price(
                "first/m",
                new BigDecimal("1.25"),
                new BigDecimal("0.125"),
                null,
                BigDecimal.TEN,
                900L,
                BigDecimal.TWO,
                null);

        // When
        var answer = assertInstanceOf(ModelAnswered.class, run(providers(price)));
        var unknown = assertInstanceOf(ModelAnswered.class, run(providers()));

        // Then
        // 600 tokens at 1250 and 400 at 125 billionths, twice because it is long, and 100 at 10000.
        assertEquals(
                2 * (600 * 1_250L + 400 * 125L) + 100 * 10_000L, answer.usage().costNanos());
        assertNull(unknown.usage().costNanos());
    }

    @Test
    @Tag("B1")
    void doesNotCallAModelBeyondTheBudget() throws InterruptedException {
        var refused = assertInstanceOf(
                ModelFailed.class,
                run((_, _) -> new BudgetAdmission.Refused(BudgetScope.USER, "your budget is used up")));
        var deferred = assertInstanceOf(
                RetryAfter.class, run((_, _) -> new BudgetAdmission.Deferred("others hold what is left")));

        assertEquals(ErrorCategory.BUDGET, refused.category());
        assertEquals("your budget is used up", refused.detail());
        assertEquals("others hold what is left", deferred.reason());
        assertTrue(first.requests.isEmpty() && second.requests.isEmpty());
    }

    @Test
    void chargesEachCalledModelOnce() throws InterruptedException {
        // Given
        var log = new ArrayList<String>();
        first.failure = ErrorCategory.OVERLOADED;

        // When
        assertInstanceOf(ModelAnswered.class, run((call, estimate) -> {
            log.add(call.provider() + " may use " + (estimate.get().tokens() > 8_192));
            return new Admitted() {
                @Override
                public void settle(Usage usage) {
                    log.add(call.provider() + " used " + usage.tokens());
                }

                @Override
                public void release() {
                    log.add(call.provider() + " ended");
                }

                @Override
                public void renew() {}
            };
        }));

        // Then
        assertEquals(
                List.of("first may use true", "first ended", "second may use true", "second used 1100", "second ended"),
                log);
    }

    private CallResult run(BudgetAdmission budgets) throws InterruptedException {
        var agent = Agents.of("first", "m", null, null, ThinkingLevel.NONE, Map.of("fallback", "second/other"));
        var context = new CallContext("default/web:1", null, new Cancellation());
        var request = new ModelRequests().agent(agent).user("hello").request();
        return new ModelExecution(request, providers(), budgets, context, new StreamRecorder(null)).run();
    }
}
