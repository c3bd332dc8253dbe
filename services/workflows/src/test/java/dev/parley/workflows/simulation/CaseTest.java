package dev.parley.workflows.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaseTest {
    private static final Workflow WORKFLOW = DefinitionReader.read("""
            document: { dsl: '1.0.3', namespace: test, name: claim, version: '1.0.0' }
            do:
              - load: { call: http, with: { method: get, endpoint: 'http://host/{id}' } }
              - approve: { ask: { prompt: 'Pay?' } }
              - end: { set: { status: '${ .value }' } }
            """);

    private static List<String> failures(String json) {
        return Case.read(JsonText.read(json))
                .getFirst()
                .run(WORKFLOW, Values.EMPTY_OBJECT)
                .failures();
    }

    @Test
    void matchingResultHasNoFailures() {
        assertEquals(List.of(), failures("""
                {"cases": [{"name": "paid", "input": {"id": 1},
                  "answers": {"load": {"output": {"amount": 3}}, "approve": {"output": "PAID"}},
                  "expected": {"status": "C", "phase": "completed", "output": {"status": "PAID"}, "outputStatus": "PAID",
                    "path": ["load", "approve", "end"], "terminalTask": "end", "assignmentRows": 1}}]}
                """));
    }

    @Test
    void reportsDifferencesFromTheExpectation() {
        assertEquals(
                List.of(
                        "outputStatus is \"PAID\", not \"DENIED\"",
                        "path is [\"load\",\"approve\",\"end\"], not [\"load\"]"),
                failures("""
                [{"answers": {"load": {"output": 1}, "approve": {"output": {"value": "PAID"}}},
                  "expected": {"outputStatus": "DENIED", "path": ["load"]}}]
                """));
    }

    @Test
    void reportsACallWithoutAnAnswer() {
        assertEquals(
                List.of(
                        "no answer is recorded for 'load' (call http)",
                        "it does not end: it waits for the answer of 'load'"),
                failures("[{\"expected\": {}}]"));
    }

    @Test
    void reportsAnInvalidAnswerOfAPerson() {
        // Given
        Workflow choice = DefinitionReader.read("""
                document: { dsl: '1.0.3', namespace: test, name: choice, version: '1.0.0' }
                do:
                  - approve: { ask: { prompt: 'Pay?', mode: approval, options: [{ value: PAY, label: Of course }, { value: REFUSE }] } }
                """);
        String cases =
                "[{\"answers\": {\"approve\": {\"output\": \"%s\"}}, \"expected\": {\"output\": {\"value\": \"PAY\"}}}]";

        // Then
        assertEquals(
                List.of(),
                Case.read(JsonText.read(cases.formatted("of course")))
                        .getFirst()
                        .run(choice, Values.EMPTY_OBJECT)
                        .failures());
        assertEquals(
                "the answer to 'approve' is refused: the answer is one of PAY, REFUSE",
                Case.read(JsonText.read(cases.formatted("MAYBE")))
                        .getFirst()
                        .run(choice, Values.EMPTY_OBJECT)
                        .failures()
                        .getFirst());
    }

    @Test
    void usesListedAnswersInOrder() {
        // Given
        Workflow retries = DefinitionReader.read("""
                document: { dsl: '1.0.3', namespace: test, name: again, version: '1.0.0' }
                do:
                  - attempt:
                      try: [{ get: { call: http, with: { method: get, endpoint: 'http://host/' } } }]
                      catch: { retry: { delay: PT1S, limit: { attempt: { count: 1 } } } }
                """);

        // Then
        assertEquals(
                List.of(),
                Case.read(JsonText.read("""
                [{"answers": {"get": [{"error": {"type": "x", "status": 503, "title": "t"}}, {"output": "ok"}]}, "expected": {"output": "ok"}}]
                """))
                        .getFirst()
                        .run(retries, Values.EMPTY_OBJECT)
                        .failures());
    }

    @Test
    void aRuleNeedsNoAnswer() {
        // Given
        Workflow rules = DefinitionReader.read("""
                document: { dsl: '1.0.3', namespace: test, name: rules, version: '1.0.0' }
                use: { rules: { small: { expression: .n < 10 } } }
                do:
                  - ask: { call: rule, with: { rule: small } }
                  - check: { assert: { value: '${ .passed }', equals: true } }
                """);
        List<Case> cases = Case.read(JsonText.read("""
                [{"input": {"n": 3}, "answers": {"ask": {"output": {"passed": false}}},
                  "expected": {"path": ["ask", "check"], "output": {"passed": true}}},
                 {"input": {"n": 30}, "expected": {"status": "F", "failedTask": "check"}}]
                """));

        // Then
        assertEquals(
                List.of(List.of(), List.of()),
                cases.stream()
                        .map(testCase ->
                                testCase.run(rules, Values.EMPTY_OBJECT).failures())
                        .toList());
    }

    @Test
    void canExpectAnError() {
        assertEquals(List.of(), failures("""
                [{"answers": {"load": {"error": {"type": "https://x", "status": 404, "title": "t"}}},
                  "expected": {"status": "F", "failedTask": "load", "error": {"status": 404, "instance": "/do/0/load"}}}]
                """));
    }

    @Test
    void rejectsUnknownMembersAndEmptyCases() {
        assertThrows(IllegalArgumentException.class, () -> failures("[{\"expected\": {\"outptu\": 1}}]"));
        assertThrows(IllegalArgumentException.class, () -> failures("[]"));
    }
}
