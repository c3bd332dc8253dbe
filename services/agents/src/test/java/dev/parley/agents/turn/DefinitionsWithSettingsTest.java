package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.platform.access.AccessDirectory;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Agents with the settings of their project. */
class DefinitionsWithSettingsTest {
    private static final Project DEFAULT = AccessDirectory.DEFAULT_PROJECT;

    private List<Guardrail> rails = List.of(rail("first"));
    private final DefinitionsWithSettings settled = new DefinitionsWithSettings(
            TopologyFixture.catalogue(List.of(
                    Agent.of("default", "scripted", "scripted", "").withLeadingGuardrails(List.of(rail("own"))),
                    Agent.of("plain", "scripted", "scripted", ""))),
            known());

    private static Guardrail rail(String name) {
        return new Guardrail(name, List.of(GuardrailStage.INPUT), "x", null, GuardrailAction.BLOCK, "", "No.", false);
    }

    private AccessDirectory known() {
        return new AccessDirectory() {
            @Override
            public Optional<Project> project(String projectKey) {
                return Optional.of(new Project(
                        DEFAULT.host(),
                        DEFAULT.project(),
                        1,
                        projectKey,
                        "",
                        false,
                        false,
                        null,
                        null,
                        null,
                        rails,
                        false,
                        null));
            }

            @Override
            public Optional<Account> account(UUID host, UUID user) {
                return Optional.empty();
            }

            @Override
            public Optional<AccessKey> key(String prefix) {
                return Optional.empty();
            }

            @Override
            public Optional<Member> member(UUID project, UUID user) {
                return Optional.empty();
            }

            @Override
            public Optional<Setting> setting(UUID host, String name) {
                return Optional.empty();
            }

            @Override
            public void catchUp() {
                // there is nothing to catch up with
            }
        };
    }

    private static List<String> names(Agent agent) {
        return agent.guardrails().stream().map(Guardrail::name).toList();
    }

    @Test
    @Tag("G12")
    void projectGuardrailsComeFirstAndOldVersionsRemain() {
        // Given
        var before = settled.in(DEFAULT.host(), DEFAULT.project());
        Agent began = before.agent("default").orElseThrow();
        assertEquals(List.of("first", "own"), names(began));
        assertEquals(List.of("first"), names(before.agent("plain").orElseThrow()));

        // When
        rails = List.of();

        // Then
        var after = settled.in(DEFAULT.host(), DEFAULT.project());
        Agent now = after.agent("default").orElseThrow();
        assertEquals(List.of("own"), names(now));
        assertNotEquals(began.version(), now.version());
        assertEquals(began, after.agent("default", began.version()).orElseThrow());
        assertEquals(
                List.of(),
                names(settled.in(UUID.randomUUID(), DEFAULT.project())
                        .agent("plain")
                        .orElseThrow()));
    }
}
