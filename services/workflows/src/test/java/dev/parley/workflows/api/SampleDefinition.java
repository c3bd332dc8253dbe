package dev.parley.workflows.api;

import dev.parley.domain.Ids;
import dev.parley.domain.Sha256;
import dev.parley.workflows.catalogue.DefinitionRow;
import java.time.Instant;

/** The definition test:flow:1.0.0, as it is in its table. */
final class SampleDefinition {
    static final String PUBLISHER = "ada";

    private SampleDefinition() {}

    static DefinitionRow row(String schedule, boolean imported) {
        String yaml = """
                document: { dsl: '1.0.3', namespace: test, name: flow, version: '1.0.0' }
                %s
                do: [ { one: { set: { n: 1 } } } ]
                """.formatted(schedule);
        return new DefinitionRow(
                Ids.of("host", "default"),
                Ids.of("definition"),
                null,
                "test",
                "flow",
                "1.0.0",
                yaml,
                Sha256.hex(yaml),
                null,
                null,
                1,
                true,
                imported ? 0 : 1,
                imported,
                Instant.EPOCH,
                Instant.EPOCH,
                PUBLISHER);
    }
}
