package dev.parley.workflows.diagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MermaidTest {
    private static Workflow workflow(String body) {
        return DefinitionReader.read("""
                document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }
                """ + body);
    }

    @Test
    void drawsTasksAndTransitions() {
        // Then
        assertEquals("""
                flowchart TD
                  start([start])
                  done([end])
                  t0["load<br/><small>call http</small>"]
                  t1{"route<br/><small>switch</small>"}
                  t2[/"ask<br/><small>ask</small>"/]
                  t3["pay<br/><small>set</small>"]
                  start --> t0
                  t0 --> t1
                  t1 -->|"low"| t3
                  t1 -->|"others"| t2
                  t2 --> done
                  t3 --> done
                """, Mermaid.of(workflow("""
                do:
                  - load: { call: http, with: { method: get, endpoint: 'http://host/' } }
                  - route: { switch: [{ low: { when: .n < 3, then: pay } }, { others: { then: ask } }] }
                  - ask: { ask: { prompt: 'Well?' }, then: end }
                  - pay: { set: {} }
                """)));
    }

    @Test
    void marksThePhasesOfTasks() {
        String drawn = Mermaid.of(
                workflow("do: [{ a: { set: {} } }, { b: { wait: PT1S } }]"),
                Map.of("/do/0/a", Phase.COMPLETED, "/do/1/b", Phase.WAITING));

        assertTrue(drawn.contains("class t0 completed\n") && drawn.contains("class t1 waiting\n"), drawn);
    }

    @Test
    void aRuleIsDrawnAsACall() {
        String drawn = Mermaid.of(workflow("""
                use: { rules: { small: { expression: .n < 10 } } }
                do: [{ a: { call: rule, with: { rule: small } } }]
                """));

        assertTrue(drawn.contains("t0[\"a<br/><small>call rule</small>\"]"), drawn);
    }

    @Test
    void drawsNestedTasksAsGroups() {
        // When
        String drawn = Mermaid.of(workflow("""
                do:
                  - loop: { for: { in: .x }, do: [{ a: { set: {} } }] }
                  - attempt: { try: [{ b: { set: {} } }], catch: { do: [{ c: { set: {} } }] } }
                  - both: { fork: { branches: [{ d: { set: {} } }, { e: { set: {} } }] } }
                """));

        // Then
        assertTrue(drawn.contains("subgraph t0[\"loop (for each item)\"]"), drawn);
        assertTrue(drawn.contains("catch error"), drawn);
        assertTrue(drawn.contains("both (side by side)"), drawn);
        assertEquals(
                drawn.lines()
                        .filter(line -> line.strip().startsWith("subgraph"))
                        .count(),
                drawn.lines().filter(line -> line.strip().equals("end")).count());
    }

    @Test
    void escapesMarkupInNames() {
        String drawn = Mermaid.of(workflow("do: [{ '\"]; click a <script>': { set: {} } }]"));

        assertFalse(drawn.contains("<script>") || drawn.contains("\"];"), drawn);
    }
}
