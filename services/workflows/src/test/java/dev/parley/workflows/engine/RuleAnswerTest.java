package dev.parley.workflows.engine;

import static dev.parley.workflows.engine.Results.assertOutput;
import static dev.parley.workflows.engine.Results.fault;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.definition.YamlText;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.simulation.Simulation;
import dev.parley.workflows.simulation.Simulation.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tasks that evaluate rules, in both dialects, without a worker. */
class RuleAnswerTest {
    private static final String JQ = """
            use:
              rules:
                cheap:
                  expression: .amount <= 100
                  message: '${ "\\(.amount) is too much" }'
                  output: { fee: '${ .amount / 10 }' }
                odd: { expression: .amount }
                broken: { expression: '.amount | error("no")' }
                endless: { expression: '[range(1e9)] | length > 1' }
            """;

    private static final String CEL = """
            evaluate: { language: cel }
            use:
              rules:
                cheap:
                  ruleId: cheap
                  ruleName: Cheap orders
                  ruleType: req-acc
                  common: Y
                  version: 1.0.0
                  author: Ann
                  conditionLanguage: cel
                  conditionSecurityProfile: strict
                  expression: amount <= 100 && (permission == null || 'buyer' in permission.roles)
                  message: '${ .amount } is too much'
                  output: { fee: '${ .amount / 10 }' }
                active: { expression: .status == ACTIVE }
            """;

    private static final Simulation.World NOBODY = new Simulation.World() {
        @Override
        public Optional<Simulation.Answer> call(ProcessEffect.Call call) {
            throw new AssertionError("a worker is asked: " + call);
        }

        @Override
        public Optional<Json> ask(ProcessEffect.Ask ask) {
            throw new AssertionError("a person is asked: " + ask);
        }
    };

    private static Result run(String body, String input) {
        Workflow workflow = DefinitionReader.read(
                "document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }\n" + body);
        return Simulation.run(workflow, YamlText.of(input).value(), NOBODY, Instant.parse("2026-01-01T00:00:00Z"));
    }

    @ParameterizedTest
    @Tag("W29")
    @CsvSource(
            delimiter = '~',
            value = {
                "amount: 20 ~ { rule: cheap, passed: true, output: { fee: 2 } }",
                "amount: 900 ~ { rule: cheap, passed: false, message: 900 is too much }",
            })
    void evaluatesARuleForTheDataOfItsTask(String input, String expected) {
        String task = "do: [{ ask: { call: rule, with: { rule: cheap } } }]";

        assertOutput(expected, run(JQ + task, input));
        assertOutput(expected, run(CEL + task.replace("rule: cheap", "ruleId: cheap"), input));
    }

    @Test
    @Tag("W29")
    void evaluatesARuleForTheInputOfItsTask() {
        assertOutput("passed: true", run(JQ + """
                do:
                  - ask: { call: rule, with: { rule: cheap, input: { amount: '${ .order.total }' } }, output: { as: '{passed}' } }
                """, "order: { total: 7 }"));
        assertOutput("{ rule: cheap, passed: false, message: 7 is too much }", run(CEL + """
                do:
                  - ask:
                      call: rule
                      with: { rule: cheap, input: { amount: '${ .order.total }', permission: { roles: [seller] } } }
                """, "order: { total: 7 }"));
    }

    @Test
    @Tag("W30")
    void branchesByTheResultOfARule() {
        // When
        Result result = run(JQ + """
                do:
                  - each:
                      for: { in: .amounts, each: amount }
                      do:
                        - ask: { call: rule, with: { rule: cheap, input: { amount: '${ $amount }' } }, export: { as: '$context + {last: .}' } }
                        - route: { switch: [ { fine: { when: .passed, then: continue } }, { others: { then: end } } ] }
                """, "amounts: [1, 2, 300, 4]");

        // Then
        assertOutput("{ rule: cheap, passed: false, message: 300 is too much }", result);
        assertEquals(3, result.begunTasks().stream().filter("ask"::equals).count());
    }

    @ParameterizedTest
    @CsvSource({"odd, 'the rule ''odd'' is true or false, not 3'", "broken, failed: no", "endless, steps"})
    @Tag("W31")
    void failingRuleIsAnExpressionErrorThatCanBeCaught(String rule, String expected) {
        String task = "{ ask: { call: rule, with: { rule: %s } } }".formatted(rule);
        WorkflowError error = fault(run(JQ + "do: [" + task + "]", "amount: 3"));

        assertEquals(WorkflowError.Standard.EXPRESSION.type(), error.type());
        assertEquals("/do/0/ask", error.instance());
        assertTrue(String.valueOf(error.detail()).contains(expected), error.detail());
        assertOutput("caught: 400", run(JQ + """
                do: [{ attempt: { try: [%s], catch: { do: [{ note: { set: { caught: '${ $error.status }' } } }] } } }]
                """.formatted(task), "amount: 3"));
    }

    @Test
    void assertionPassesIfItsRulePasses() {
        // Then
        assertOutput(
                "{ passed: true, value: { amount: 3 } }",
                run(JQ + "do: [{ check: { assert: { rule: cheap } } }]", "amount: 3"));
        assertOutput(
                "{ passed: true, value: 3 }",
                run(
                        JQ
                                + "do: [{ check: { assert: { value: '${ .amount }', equals: 3, rule: { name: cheap, input: '${ . }' } } } }]",
                        "amount: 3"));
        assertOutput(
                "{ passed: true, value: { status: ACTIVE } }",
                run(CEL + "do: [{ check: { assert: { rule: { ruleId: active } } } }]", "status: ACTIVE"));
    }

    @Test
    void anAssertionWhoseRuleDoesNotHoldFailsWithItsMessage() {
        // When
        WorkflowError error = fault(run(JQ + "do: [{ check: { assert: { rule: cheap } } }]", "amount: 900"));

        // Then
        assertEquals(WorkflowError.Standard.VALIDATION.type(), error.type());
        assertEquals("900 is too much: the rule 'cheap' does not hold for {\"amount\":900}", error.detail());
        assertEquals(
                "too dear: 900 is not equals 1; the rule 'cheap' does not hold for {\"amount\":900}",
                fault(run(JQ + """
                        do: [{ check: { assert: { value: '${ .amount }', equals: 1, message: too dear, rule: { name: cheap, input: '${ . }' } } } }]
                        """, "amount: 900")).detail());
        assertOutput("caught: 400", run(CEL + """
                do:
                  - attempt:
                      try: [{ check: { assert: { rule: active } } }]
                      catch: { errors: { with: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation' } }, do: [{ note: { set: { caught: '${ .error.status }' } } }] }
                """, "status: GONE"));
    }

    @Test
    void exampleOfTheGuideRuns() throws IOException {
        String page = Files.readString(Path.of("../../docs/workflows.md"));
        int start = page.indexOf("```yaml\n", page.indexOf("### Rules")) + 8;

        assertOutput(
                "{ rule: affordable, passed: true, output: { fee: 0.07 } }",
                run(page.substring(start, page.indexOf("```", start)), "{ price: 7, budget: 10 }"));
    }

    @Test
    void extensionsAndFunctionsAskRules() {
        assertEquals(
                List.of("guard", "pay", "judge", "ask"),
                run(JQ + """
                  extensions: [{ guarded: { extend: set, before: [{ guard: { assert: { rule: cheap } } }] } }]
                  functions: { judge: { call: rule, with: { rule: cheap } } }
                do:
                  - pay: { set: { amount: 3 } }
                  - ask: { call: judge }
                """, "amount: 3").completedTasks());
    }
}
