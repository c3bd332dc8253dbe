package dev.parley.workflows.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.simulation.Simulation;
import dev.parley.workflows.simulation.Simulation.Answer;
import dev.parley.workflows.simulation.Simulation.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subscription to messages 1, 2, 3 and so on, two in each batch. */
class SubscriberTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** A topic with a number of messages; a call beyond its end does not return. */
    private record Topic(int size, List<Json> asked) implements Simulation.World {
        Topic(int size) {
            this(size, new ArrayList<>());
        }

        @Override
        public Optional<Answer> call(ProcessEffect.Call call) {
            Json arguments = call.arguments();
            asked.add(arguments);
            if (arguments.get("cursor").isNull()) {
                return Optional.of(new Answer(batch(0, List.of()), null));
            }
            int position = Integer.parseInt(arguments.get("cursor").get("at").display());
            var messages = new ArrayList<Json>();
            for (int n = position + 1; n <= Math.min(position + 2, size); n++) {
                messages.add(JsonText.read("{\"payload\": {\"n\": %d}, \"headers\": {}}".formatted(n)));
            }
            return messages.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Answer(batch(position + messages.size(), messages), null));
        }

        private static Json batch(int position, List<Json> messages) {
            return Json.of("cursor", Json.of("at", Json.of(position))).with("messages", Json.of(messages));
        }

        @Override
        public Optional<Json> ask(ProcessEffect.Ask ask) {
            return Optional.empty();
        }
    }

    private static Result run(Topic topic, String subscription) {
        return run(topic, "", subscription, "");
    }

    private static Result run(Topic topic, String head, String subscription, String extra) {
        String definition = """
                document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }
                %s
                do:
                  - get:
                      call: asyncapi
                      with:
                        document: { endpoint: 'http://docs/a.json' }
                        operation: hear
                        subscription: %s
                      %s
                """.formatted(head, subscription, extra);
        return Simulation.run(DefinitionReader.read(definition), Values.EMPTY_OBJECT, topic, NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "{ consume: { amount: 3 } } ~ [1,2,3]",
                "{ consume: { amount: 2 }, filter: '${ .payload.n > 4 }' } ~ [5,6]",
                "{ consume: { while: '${ .payload.n < 4 }' } } ~ [1,2,3,4]",
                "{ consume: { until: '${ .payload.n == 4 }' } } ~ [1,2,3]",
                "{ consume: { for: PT1M } } ~ [1,2,3,4,5,6,7]",
                "{ consume: { for: PT1M, amount: 900 }, filter: '${ $index < 2 }' } ~ [1,2]",
            })
    void subscriptionEndsByAmountTimeOrExpression(String subscription, String expected) {
        Result result = run(new Topic(7), subscription);

        assertEquals(
                Phase.COMPLETED,
                result.state().phase(),
                () -> String.valueOf(result.state().error()));
        List<Json> numbers = result.state().output().list().stream()
                .map(message -> message.get("payload").get("n"))
                .toList();
        assertEquals(JsonText.read(expected), Json.of(numbers));
    }

    @Test
    void foreachCompletesEachMessageBeforeTheNext() {
        // When
        Result result = run(new Topic(4), """
                { consume: { until: '${ ($context.seen | length) == 3 }' }, foreach: { item: message, do: [
                    { nap: { wait: PT1S } },
                    { keep: { set: { n: '${ $message.payload.n * 10 + $index }' } } } ],
                  output: { as: .n }, export: { as: '{ seen: (($context.seen // []) + [.]) }' } } }""");

        // Then
        assertEquals("[10,21,32]", result.state().output().toString());
        assertEquals("{\"seen\":[10,21,32]}", result.state().context().toString());
        assertEquals(
                List.of("get", "nap", "keep", "nap", "keep", "nap", "keep"),
                result.begunTasks(),
                () -> String.valueOf(result.state().error()));
    }

    @Test
    void continuesFromTheCursorOfThePreviousBatch() {
        // Given
        var topic = new Topic(5);

        // When
        run(topic, "{ consume: { amount: 5 } }");

        // Then
        assertEquals("hear", topic.asked().getFirst().get("operation").display());
        assertEquals(
                "[{\"at\":0},{\"at\":2},{\"at\":4}]",
                Json.of(topic.asked().stream()
                                .skip(1)
                                .map(arguments -> arguments.get("cursor"))
                                .toList())
                        .toString());
    }

    @Test
    void endlessSubscriptionFailsAtItsTimeoutOrMessageLimit() {
        Result timedOut = run(new Topic(3), "", "{ consume: { while: '${ true }' } }", "timeout: { after: PT1H }");
        Result overLimit = run(new Topic(5_000), "{ consume: { while: '${ true }' } }");

        assertEquals(Phase.FAULTED, timedOut.state().phase());
        assertEquals(408, timedOut.state().error().status());
        assertTrue(timedOut.effects().stream().anyMatch(ProcessEffect.CancelCall.class::isInstance));
        assertTrue(String.valueOf(overLimit.state().error()).contains("more than 1000 messages"));
    }

    @Test
    void celSeesTheMessageVariable() {
        // When
        Result result = run(
                new Topic(4),
                "evaluate: { language: cel }",
                "{ filter: '${.message.payload.n > 2}', consume: { amount: 1 }, foreach: { item: message,"
                        + " do: [ { keep: { set: { n: '${.message.payload.n}' } } } ] } }",
                "");

        // Then
        assertEquals(
                "[{\"n\":3}]",
                result.state().output().toString(),
                () -> String.valueOf(result.state().error()));
    }

    @Test
    void filtersTheMessagesOfATrialAnswer() {
        // Given
        Simulation.World world = new Simulation.World() {
            @Override
            public Optional<Answer> call(ProcessEffect.Call call) {
                return Optional.of(new Answer(JsonText.read("[{\"payload\": 1}, {\"payload\": 2}]"), null));
            }

            @Override
            public Optional<Json> ask(ProcessEffect.Ask ask) {
                return Optional.empty();
            }
        };
        String definition = """
                document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }
                do: [ { get: { call: asyncapi, with: { document: { endpoint: x }, channel: c,
                      subscription: { filter: '${ .payload > 1 }', consume: { while: '${ true }' } } } } } ]
                """;

        // When
        Result result = Simulation.run(DefinitionReader.read(definition), Values.EMPTY_OBJECT, world, NOW);

        // Then
        assertEquals("[{\"payload\":2}]", result.state().output().toString());
    }
}
