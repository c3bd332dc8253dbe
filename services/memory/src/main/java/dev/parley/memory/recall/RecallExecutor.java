package dev.parley.memory.recall;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.Search;
import dev.parley.domain.memory.Search.Query;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.Sighting;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import dev.parley.language.time.TimeExpressions;
import dev.parley.language.time.TimeSpan;
import dev.parley.memory.bank.RecallService;
import dev.parley.memory.search.Embedding;
import dev.parley.memory.search.Index;
import dev.parley.memory.search.ItemKind;
import dev.parley.memory.search.SearchFilter;
import dev.parley.memory.search.TagMatch;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.embedding.Embedder;
import dev.parley.platform.embedding.Embedders;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers recall requests to the banks of this process on a thread pool, and sends the answers to {@code outcomes}. */
public final class RecallExecutor implements RecallService, Service {
    /** Maximum number of requests that wait or run; more are refused. */
    static final int MAX_REQUESTS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(RecallExecutor.class);
    private static final int THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final KafkaClients clients;
    private final Embedders embedders;
    private final TimeZones zones;
    private final Clock clock;
    private final Recall recall = new Recall(new EvidenceReranker());
    private final ObjectMapper json = JsonMappers.stored();
    private final Semaphore room = new Semaphore(MAX_REQUESTS);
    private final ExecutorService executor = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("recall-", 0).daemon().factory());
    private volatile @Nullable Producer<byte[], byte[]> producer;

    /** @param zones in which queries are meant */
    public RecallExecutor(KafkaClients clients, Embedders embedders, TimeZones zones, Clock clock) {
        this.clients = clients;
        this.embedders = embedders;
        this.zones = zones;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "recall";
    }

    @Override
    public void start() {
        producer = clients.producer("recall");
    }

    @Override
    public Optional<String> problem() {
        return producer == null ? Optional.of("not started") : Optional.empty();
    }

    @Override
    public void submit(RecallRequest request, Index index, long lastSeq, List<Directive> directives) {
        submit(request, index, lastSeq, directives, answer -> sendOutcome(request, answer.outcome()));
    }

    /**
     * The answer to a recall request.
     *
     * @param tokens of the JSON of the answer; empty for a refusal
     */
    public record Answer(Outcome outcome, OptionalInt tokens) {}

    /** Answers a request of this process; never completes where the deadline passes first. */
    CompletableFuture<Answer> answer(RecallRequest request, Index index, long lastSeq) {
        var answer = new CompletableFuture<Answer>();
        submit(request, index, lastSeq, List.of(), answer::complete);
        return answer;
    }

    private void submit(
            RecallRequest request, Index index, long lastSeq, List<Directive> directives, Consumer<Answer> to) {
        boolean accepted = execute(
                index,
                Deadline.at(request.deadline(), clock),
                () -> to.accept(answer(request, index, lastSeq, directives)));
        if (!accepted) {
            to.accept(
                    refusal(refusedOutcome(request, "busy", "too many recall requests are waiting: try again later")));
        }
    }

    /** Runs a search while it holds the index, unless its deadline passes first; returns false where too many wait. */
    private boolean execute(Index index, Deadline deadline, Runnable search) {
        if (!room.tryAcquire()) {
            return false;
        }
        index.hold();
        executor.execute(() -> {
            try {
                if (!deadline.passed()) {
                    search.run();
                }
            } finally {
                index.release();
                room.release();
            }
        });
        return true;
    }

    private static Answer refusal(Outcome outcome) {
        return new Answer(outcome, OptionalInt.empty());
    }

    @Override
    public void submit(Search search, Index index) {
        var _ = execute( // if refused, the bank retries
                index,
                Deadline.at(search.deadline(), clock),
                () -> send(
                        Topics.RESULTS,
                        null,
                        search.bank().key().toString(),
                        runSearch(search, index),
                        search.callId()));
    }

    private CallResult runSearch(Search search, Index index) {
        try {
            var sightings = new LinkedHashMap<String, Sighting>();
            for (Query query : search.queries()) {
                recall.findHits(index, question(query, search.zone(), index)).stream()
                        .limit(query.limit())
                        .forEach(hit -> sightings.putIfAbsent(hit.id(), new Sighting(hit.id(), hit.score())));
            }
            return new CallResult.Found(search.callId(), search.attempt(), List.copyOf(sightings.values()));
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("bank", search.bank().key()).setCause(e).log("search of a bank failed");
            return new CallResult.ModelFailed(
                    search.callId(), search.attempt(), ErrorCategory.UNKNOWN, "it could not search", null, List.of());
        }
    }

    private RecallQuestion question(Query query, ZoneId zone, Index index) {
        Instant now = clock.instant();
        var filter = new SearchFilter(
                all(query.kinds(), code -> Coded.of(ItemKind.class, code), "kind"),
                Set.copyOf(query.types()),
                Set.copyOf(query.tags()),
                TagMatch.ANY,
                null,
                null,
                null,
                Set.of());
        return RecallQuestion.of(query.text(), meaning(query.text(), Retriever.ALL, null, index))
                .within(filter)
                .with(RecallEffort.LOW, RecallQuestion.TOKENS)
                .at(now, window(query.text(), now, zone));
    }

    private Answer answer(RecallRequest request, Index index, long lastSeq, List<Directive> directives) {
        try {
            Recalled found = recall.run(index, question(request, index));
            String trace = request.trace() ? json.writeValueAsString(found.trace()) : null;
            return new Answer(
                    new Outcome.Recalled(
                            request.bank().key(), request.callId(), found.json(), trace, lastSeq, directives),
                    OptionalInt.of(found.tokens()));
        } catch (Index.ClosedException e) {
            return refusal(RecallService.notReady(request));
        } catch (IllegalArgumentException e) {
            return refusal(refusedOutcome(request, "invalid_question", String.valueOf(e.getMessage())));
        } catch (Exception e) {
            LOG.atError().addKeyValue("bank", request.bank().key()).setCause(e).log("recall request failed");
            return refusal(refusedOutcome(request, "internal_error", "something went wrong; see the logs"));
        }
    }

    private static Outcome refusedOutcome(RecallRequest request, String code, String message) {
        return new Outcome.Refused(request.bank().key(), request.callId(), code, message);
    }

    private RecallQuestion question(RecallRequest request, Index index) {
        Instant now = request.asOf() == null ? clock.instant() : request.asOf();
        var filter = new SearchFilter(
                all(request.kinds(), code -> Coded.of(ItemKind.class, code), "kind"),
                Set.copyOf(request.types()),
                Set.copyOf(request.tags()),
                request.allTags() ? TagMatch.ALL : TagMatch.ANY,
                request.during(),
                request.asOf(),
                request.validAt(),
                request.excluded().stream().map(String::valueOf).collect(Collectors.toSet()));
        Set<Retriever> disabled = all(request.without(), code -> Coded.of(Retriever.class, code), "arm");
        Set<Retriever> retrievers = Retriever.ALL.stream()
                .filter(retriever -> !disabled.contains(retriever))
                .collect(Collectors.toSet());
        return RecallQuestion.of(request.query(), meaning(request.query(), retrievers, request.asOf(), index))
                .within(filter)
                .by(retrievers)
                .with(RecallEffort.MID, request.maxTokens())
                .at(now, window(request.query(), now, zones.of(request.bank(), request.user())));
    }

    private static @Nullable TimeSpan window(String query, Instant now, ZoneId zone) {
        return TimeExpressions.window(query, now, zone).orElse(null);
    }

    /**
     * Embeds the query with the model that the bank is searched by at that time. Without an embedding only keywords are
     * searched. An empty bank is answered without one: its directives do not wait for the model to load.
     */
    private @Nullable Embedding meaning(String query, Set<Retriever> retrievers, @Nullable Instant asOf, Index index) {
        if (!retrievers.contains(Retriever.SEMANTIC) || asOf == null && index.size() == 0) {
            return null;
        }
        try {
            Embedder embedder = embedders.of(index.generation(asOf).orElse(null));
            return new Embedding(embedder.name(), embedder.embed(List.of(query)).getFirst());
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("query could not be embedded; keyword search only");
            return null;
        }
    }

    private static <T> Set<T> all(List<String> codes, Function<String, Optional<T>> parser, String noun) {
        return codes.stream()
                .map(code -> parser.apply(code)
                        .orElseThrow(() -> new IllegalArgumentException("there is no " + noun + " '" + code + "'")))
                .collect(Collectors.toSet());
    }

    private void sendOutcome(RecallRequest request, Outcome outcome) {
        int partition = request.outcomePartition();
        send(Topics.OUTCOMES, partition, Integer.toString(partition), outcome, Ids.of("outcome", request.callId()));
    }

    private <V> void send(Topic<V> topic, @Nullable Integer partition, String key, V value, UUID id) {
        Producer<byte[], byte[]> to = producer;
        if (to != null) {
            var _ = to.send(RecordCodec.record(topic, partition, key, value, id, null));
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
        Producer<byte[], byte[]> open = producer;
        if (open != null) {
            open.close(CLOSE_TIMEOUT);
        }
    }
}
