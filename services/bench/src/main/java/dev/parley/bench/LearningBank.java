package dev.parley.bench;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Vector;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import dev.parley.memory.bank.StandaloneBank;
import dev.parley.memory.search.Index;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bank that retains synthetic turns: it extracts facts by rules or with a scripted model, links them and forms
 * observations. One statement in twenty is a duplicate.
 */
final class LearningBank {
    private static final UUID HOST = Ids.of("host", "bench");
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final RecordKey SESSION = RecordKey.of("bench:1");
    private static final int DIMENSIONS = 384;
    private static final int FACTS = 3;
    private static final int DUPLICATE_INTERVAL = 20;
    private static final double NOISE = 0.25;
    private static final String[] SYLLABLES = "ba do fi gu ka le mi no pa ru sa te vi wo xa ze".split(" ");

    private final BankRef ref = new BankRef(HOST, RecordKey.DEFAULT_PROJECT, null, "bench");
    private final StandaloneBank bank;
    private final @Nullable Agent reader;
    private final SplittableRandom random;
    private int turns;

    /** @param byModel whether a model extracts the facts, instead of rules */
    LearningBank(Index index, long seed, boolean byModel) {
        bank = new StandaloneBank(ref, index);
        reader = byModel ? Agent.of("bench", "made", "made", "") : null;
        random = new SplittableRandom(seed);
    }

    /** The number of current facts and observations. */
    int size() {
        return (int) bank.memory().activeCount();
    }

    /** The number of retained turns. */
    int turns() {
        return turns;
    }

    /** Retains the next turn, and answers the requests that follow from it. */
    void retainTurn() {
        int number = turns++;
        List<Sentence> sentences = Stream.generate(this::sentence).limit(FACTS).toList();
        Instant time = START.plusSeconds(60L * number);
        Deque<MemoryInput> inputs = new ArrayDeque<>(List.of(retain(number, sentences, time)));
        while (!inputs.isEmpty()) {
            for (MemoryEffect effect : bank.handle(inputs.remove(), time)) {
                if (effect instanceof MemoryEffect.Embed embed) {
                    inputs.add(new MemoryInput.Answered(embed(embed)));
                } else if (effect instanceof MemoryEffect.CallModel call) {
                    inputs.add(new MemoryInput.Answered(answer(call, sentences)));
                }
            }
        }
    }

    private Retain retain(int number, List<Sentence> sentences, Instant time) {
        UUID turn = id(number);
        String text = sentences.stream().map(Sentence::text).collect(Collectors.joining(" "));
        return new Retain(
                meta(Ids.of("retain", turn), time),
                ref,
                turn,
                SESSION,
                turn,
                (long) number,
                List.of(new Utterance(Role.USER, "Ann", text)),
                null,
                List.of(),
                time,
                reader);
    }

    private CallResult embed(MemoryEffect.Embed embed) {
        return new CallResult.Embedded(
                embed.request().callId(),
                embed.request().attempt(),
                "made",
                embed.request().texts().stream().map(this::vector).toList());
    }

    private static CallResult answer(MemoryEffect.CallModel call, List<Sentence> sentences) {
        return new CallResult.ModelAnswered(
                call.request().callId(),
                call.request().attempt(),
                List.of(new Block.Text(facts(sentences), null)),
                FinishReason.STOP,
                Usage.NONE,
                "made",
                "made",
                null,
                null);
    }

    /** Erases a turn; returns the number of erased events. */
    int erase(int number) {
        Instant time = START.plusSeconds(60L * turns);
        UUID turn = id(number);
        var forget = new Forget(meta(Ids.of("forget", turn), time), ref, Forget.What.TURN, turn, null);
        return bank.handle(forget, time).stream()
                .mapToInt(effect -> effect instanceof MemoryEffect.Erase erase
                        ? erase.events().size()
                        : 0)
                .sum();
    }

    private static UUID id(int number) {
        return Ids.of("turn", number);
    }

    private static CommandMeta meta(UUID id, Instant time) {
        return new CommandMeta(id, HOST, time, null, null, null);
    }

    /** A sentence with the names in it. */
    private record Sentence(String text, List<String> names) {}

    private Sentence sentence() {
        var source =
                random.nextInt(DUPLICATE_INTERVAL) == 0 ? new SplittableRandom(random.nextInt(1_000)) : random.split();
        String person = name(source, 2) + " " + name(source, 3);
        String thing = word(source, 2) + " " + word(source, 3);
        String place = name(source, 2);
        return new Sentence("%s likes the %s in %s.".formatted(person, thing, place), List.of(person, place));
    }

    private static String facts(List<Sentence> sentences) {
        return sentences.stream().map(LearningBank::fact).collect(Collectors.joining(", ", "{\"facts\": [", "]}"));
    }

    private static String fact(Sentence sentence) {
        return """
                {"what": "%s", "when": null, "kind": "conversation", "type": "world", "entities": ["%s"], "relations": [], "quote": "%s"}""".formatted(sentence.text(), String.join("\", \"", sentence.names()), sentence.text());
    }

    private static String name(SplittableRandom random, int syllables) {
        String word = word(random, syllables);
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private static String word(SplittableRandom random, int syllables) {
        return Stream.generate(() -> SYLLABLES[random.nextInt(SYLLABLES.length)])
                .limit(syllables)
                .collect(Collectors.joining());
    }

    /** A vector that is equal for equal texts, and close for texts with the same beginning. */
    private Vector vector(String text) {
        var topic = new SplittableRandom(
                text.substring(0, Math.min(4, text.length())).hashCode());
        var noise = new SplittableRandom(text.hashCode());
        var values = new float[DIMENSIONS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (topic.nextDouble() - 0.5 + NOISE * 2 * (noise.nextDouble() - 0.5) * 2);
        }
        return Vector.of(values);
    }
}
