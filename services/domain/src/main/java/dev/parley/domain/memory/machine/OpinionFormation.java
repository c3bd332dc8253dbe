package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.FactType;
import dev.parley.domain.memory.Maker;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.PendingInference;
import dev.parley.domain.memory.PendingInference.Ask;
import dev.parley.domain.memory.Unit;
import dev.parley.domain.memory.UnitBuilder;
import dev.parley.domain.memory.consolidate.Consolidation;
import dev.parley.domain.memory.consolidate.FactSource;
import dev.parley.domain.memory.consolidate.Opinion;
import dev.parley.domain.memory.reflect.Conclusion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Opinion formation: each new related fact that supports or contradicts an opinion makes a new version with another
 * confidence, whose reason states which. Earlier versions stay in the events.
 */
final class OpinionFormation {
    /** Maximum opinions near a fact that it may affect. */
    private static final int NEAREST = 10;

    /** Maximum facts of a chunk that are weighed; chunks rarely have as many. */
    private static final int MAX_FACTS = 50;

    /** Minimum change of confidence that makes a new version. */
    private static final double MIN_CHANGE = 0.01;

    private OpinionFormation() {}

    /** Stores the opinion of a reflection; repeating the question makes a new version. */
    static void form(
            MemoryDraft draft, PendingInference thought, UUID reflection, Conclusion conclusion, TextVectors vectors) {
        String question = ReflectionCompletion.normalizeQuestion(thought.ask().question());
        UUID id = Ids.of(
                "opinion", draft.state().open().id(), question, thought.ask().tags());
        int version = draft.memory().nextVersion(id);
        List<UUID> cited = Reflected.sources(conclusion.basedOn());
        List<UUID> sources = Stream.of(cited, Reflected.sources(thought.shown()), List.of(reflection))
                .flatMap(List::stream)
                .distinct()
                .toList();
        Unit opinion = unit(draft, thought.ask(), id, version, conclusion, cited.size(), sources, vectors);
        if (version == 1 && !draft.hasRoom()) {
            return;
        }
        List<UnitLearned> citedUnits = cited.stream()
                .flatMap(unit -> draft.memory().unit(unit).stream())
                .toList();
        String reason = version == 1 ? null : "it was reflected on again";
        draft.emit(meta -> new UnitLearned(
                meta, opinion, findMentions(opinion.text(), citedUnits), List.of(), reason, maker(conclusion)));
    }

    private static Unit unit(
            MemoryDraft draft,
            Ask request,
            UUID id,
            int version,
            Conclusion conclusion,
            int proofs,
            List<UUID> sources,
            TextVectors vectors) {
        return UnitBuilder.builder()
                .id(id)
                .version(version)
                .type(FactType.OPINION)
                .text(Objects.requireNonNull(conclusion.opinion(), "no opinion"))
                .context(request.question())
                .confidence(conclusion.confidence())
                .mentionedAt(draft.now())
                .tags(request.tags())
                .proofCount(proofs)
                .sources(sources)
                .generation(vectors.generation(1))
                .vector(vectors.vector(1))
                .build();
    }

    /** The origin of an opinion. */
    static Maker maker(Conclusion conclusion) {
        return new Maker(conclusion.how(), conclusion.prompt(), conclusion.model());
    }

    /** The entities of these units that a text names. */
    static List<Mention> findMentions(String text, List<UnitLearned> units) {
        String lower = text.toLowerCase(Locale.ROOT);
        var mentions = new LinkedHashMap<UUID, Mention>();
        units.stream()
                .flatMap(learned -> learned.mentions().stream())
                .filter(mention -> lower.contains(mention.name().toLowerCase(Locale.ROOT)))
                .forEach(mention -> mentions.putIfAbsent(mention.entity(), mention));
        return List.copyOf(mentions.values());
    }

    /** Weighs the facts learned by this decision against nearby opinions. */
    static void weigh(MemoryDraft draft) {
        List<UnitLearned> facts = draft.learnedUnits()
                .filter(event -> event.unit().version() == 1 && event.unit().vector() != null)
                .filter(event -> event.unit().type().isFact())
                .limit(MAX_FACTS)
                .toList();
        Map<UUID, List<UnitLearned>> byOpinion = new LinkedHashMap<>();
        for (UnitLearned fact : facts) {
            draft.view()
                    .nearest(fact.unit(), FactType.OPINION, Consolidation.RELATED_COSINE, NEAREST)
                    .forEach(neighbour -> byOpinion
                            .computeIfAbsent(neighbour.unit(), _ -> new ArrayList<>())
                            .add(fact));
        }
        byOpinion.forEach((opinion, nearby) -> draft.memory()
                .unit(opinion)
                .filter(learned -> draft.memory().isActive(opinion)
                        && learned.unit().confidence() != null
                        && learned.unit().vector() != null)
                .ifPresent(learned -> weigh(draft, learned, nearby)));
    }

    private static void weigh(MemoryDraft draft, UnitLearned learned, List<UnitLearned> facts) {
        double before = Objects.requireNonNull(learned.unit().confidence());
        double after = new Opinion(source(learned), before)
                .after(facts.stream()
                        .filter(fact -> learned.unit().tags().isEmpty()
                                || fact.unit().tags().stream()
                                        .anyMatch(learned.unit().tags()::contains))
                        .filter(fact -> Objects.equals(
                                fact.unit().generation(), learned.unit().generation()))
                        .map(OpinionFormation::source)
                        .toList())
                .confidence();
        if (Math.abs(after - before) >= MIN_CHANGE) {
            change(draft, learned, after, after > before ? "newer facts say the same" : "newer facts contradict it");
        }
    }

    private static FactSource source(UnitLearned event) {
        return Observations.source(event, event.names());
    }

    /** Reduces an opinion's confidence like a contradicting fact, after a unit that it rests on was retired. */
    static void doubt(MemoryDraft draft, UUID opinion) {
        draft.memory()
                .unit(opinion)
                .filter(learned -> learned.unit().confidence() != null)
                .ifPresent(learned -> change(
                        draft,
                        learned,
                        Objects.requireNonNull(learned.unit().confidence()) * (1 - Opinion.DOUBT),
                        "a fact that it rests on is no longer considered true"));
    }

    private static void change(MemoryDraft draft, UnitLearned learned, double confidence, String reason) {
        Unit unit = learned.unit();
        Unit changed =
                unit.with().version(unit.version() + 1).confidence(confidence).build();
        draft.emit(meta -> new UnitLearned(meta, changed, learned.mentions(), List.of(), reason, learned.maker()));
    }
}
