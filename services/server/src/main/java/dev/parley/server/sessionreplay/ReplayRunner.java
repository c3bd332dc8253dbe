package dev.parley.server.sessionreplay;

import dev.parley.agents.model.ModelProviders;
import dev.parley.agents.model.scripted.ScriptedProvider;
import dev.parley.agents.model.scripted.ScriptedTranscriber;
import dev.parley.agents.model.wire.StoredKeys;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.clock.SteadyClock;
import dev.parley.platform.config.AgentCheck;
import dev.parley.platform.config.AgentFile;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.server.audit.ReadProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs a replay plan: reads recordings and definitions, calls the models, and scores the answers against the suite. */
public final class ReplayRunner {
    private final ParleyConfig config;
    private final KafkaClients clients;
    private final ReadProgress progress;

    /** @param out for progress messages */
    public ReplayRunner(ParleyConfig config, KafkaClients clients, PrintWriter out) {
        this.config = config;
        this.clients = clients;
        this.progress = new ReadProgress(out);
    }

    /** @throws IllegalArgumentException where a session, an agent or a file is missing or invalid */
    public TurnReplayReport run(ReplayPlan plan) throws IOException, InterruptedException {
        Suite suite = plan.suite() == null ? null : Suite.read(plan.suite());
        var reader = new RecordingReader(clients, progress);
        Map<RecordKey, Predicate<RecordedTurn>> selected =
                plan.feedback() == null ? plan.selectTurns(suite) : ratedTurns(reader, plan, plan.feedback());
        Map<RecordKey, List<TurnEvent>> read = reader.read(selected.keySet());
        ReplayStore store = store(plan);
        var bounds = new ReplayBounds(
                SteadyClock.OF_PROCESS.instant().plus(plan.maxTime()), plan.maxTokens(), plan.maxCost());
        var results = new ArrayList<TurnResult>();
        try (ModelProviders providers = providers();
                KafkaDefinitions definitions = new KafkaDefinitions(clients)) {
            definitions.start();
            var replay = new SessionReplay(new ProviderModels(providers), bounds, store, progress);
            for (var session : selected.entrySet()) {
                RecordKey key = session.getKey();
                var recording = new Recording(key, read.getOrDefault(key, List.of()));
                Definitions inScope = inScope(definitions, recording);
                // A subagent is evaluated on its delegated sessions.
                Agent agent = agent(plan, suite, recording, inScope).withMode(AgentMode.ALL);
                results.addAll(replay.run(recording, inScope, agent, session.getValue(), plan.maxTurns()));
            }
        }
        return report(plan, plan.feedback() == null ? suite : Suite.of(results, plan.feedback()), results);
    }

    private static Map<RecordKey, Predicate<RecordedTurn>> ratedTurns(
            RecordingReader reader, ReplayPlan plan, Opinion opinion) throws IOException {
        RecordKey session = plan.session() == null ? null : ReplayPlan.key(plan.session());
        var selected = new LinkedHashMap<RecordKey, Predicate<RecordedTurn>>();
        reader.readOpinions(session)
                .with(opinion)
                .forEach((key, turns) -> selected.put(key, turn -> turns.contains(turn.id())));
        if (selected.isEmpty()) {
            throw new IllegalArgumentException("Nobody finds a turn "
                    + opinion.name().toLowerCase(Locale.ROOT) + (session == null ? "" : " in the session " + session));
        }
        return selected;
    }

    private ReplayStore store(ReplayPlan plan) throws IOException {
        var store = new ReplayStore(plan.out());
        if (store.unreadable() > 0) {
            progress.print(
                    "%d lines of %s are not results, and are skipped.".formatted(store.unreadable(), plan.out()));
        }
        return store;
    }

    /** The providers with the configured keys only, not those of users and hosts. */
    private ModelProviders providers() {
        return ModelProviders.of(
                config,
                System.getenv(),
                StoredKeys.NONE,
                new BlobStore(config.blobs(), BlobStore.MOST),
                List.of(new ScriptedProvider()),
                List.of(new ScriptedTranscriber()),
                AccessDirectory.NOTHING);
    }

    private static Definitions inScope(KafkaDefinitions definitions, Recording recording) {
        UUID host = recording.events().getFirst().meta().host();
        return definitions.in(host, recording.key().projectId());
    }

    private Agent agent(ReplayPlan plan, @Nullable Suite suite, Recording recording, Definitions inScope) {
        String model = plan.model() != null ? plan.model() : suite == null ? null : suite.model();
        Agent agent = plan.agentFile() != null
                ? AgentFile.read(plan.agentFile(), config)
                : requirePublished(plan, suite, recording, inScope);
        if (model == null) {
            return agent;
        }
        AgentCheck.model(model, config.providers()).ifPresent(fault -> {
            throw new IllegalArgumentException("The model " + model + " " + fault);
        });
        return agent.instead(model).withContentVersion();
    }

    private static Agent requirePublished(
            ReplayPlan plan, @Nullable Suite suite, Recording recording, Definitions inScope) {
        String selected = plan.agent() != null ? plan.agent() : suite == null ? null : suite.agent();
        String name = selected != null ? selected : firstAgent(recording);
        return inScope.agent(name)
                .orElseThrow(() ->
                        new IllegalArgumentException("There is no agent '%s' for the session '%s'; there are %s"
                                .formatted(
                                        name,
                                        recording.key(),
                                        String.join(
                                                ", ",
                                                inScope.agents().stream()
                                                        .map(Agent::name)
                                                        .toList()))));
    }

    private static String firstAgent(Recording recording) {
        return recording.turns().stream()
                .map(turn -> turn.accepted().agent())
                .findFirst()
                .orElse(Agent.DEFAULT);
    }

    private static TurnReplayReport report(ReplayPlan plan, @Nullable Suite suite, List<TurnResult> results) {
        if (suite == null) {
            return new TurnReplayReport(results, null, 0);
        }
        var score = new Score();
        for (Suite.SessionPart part : suite.parts()) {
            String key = ReplayPlan.key(part.key()).toString();
            part.expectations()
                    .forEach((number, expected) -> score.check(
                            key,
                            number,
                            expected,
                            results.stream()
                                    .filter(result -> result.session().equals(key) && result.number() == number)
                                    .findFirst()
                                    .orElse(null)));
        }
        Double threshold = plan.threshold() != null ? plan.threshold() : suite.threshold();
        return new TurnReplayReport(results, score, Objects.requireNonNullElse(threshold, 1.0));
    }
}
