package dev.parley.platform.power;

import static dev.parley.platform.access.AccessDirectory.DEFAULT_HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Power.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each power, for each kind of scope, with each kind of grant. */
class PowerGrantsTest {
    private static final UUID TENANT = UUID.randomUUID();
    private static final UUID PROJECT = UUID.randomUUID();
    private static final CatalogueScope DEFAULT_PROJECT =
            new CatalogueScope(DEFAULT_HOST, RecordKey.projectId(RecordKey.DEFAULT_PROJECT));
    private static final CatalogueScope OWN_HOST = new CatalogueScope(DEFAULT_HOST, null);
    private static final CatalogueScope OWN_PROJECT = new CatalogueScope(DEFAULT_HOST, PROJECT);
    private static final CatalogueScope TENANTS_HOST = new CatalogueScope(TENANT, null);
    private static final CatalogueScope TENANTS_PROJECT = new CatalogueScope(TENANT, PROJECT);
    private static final List<CatalogueScope> SCOPES =
            List.of(CatalogueScope.INSTALLATION, OWN_HOST, DEFAULT_PROJECT, OWN_PROJECT, TENANTS_HOST, TENANTS_PROJECT);

    private static Set<CatalogueScope> allowed(Kind kind, Grant grant) {
        var power = new Power(kind, "one");
        var grants = new PowerGrants(Map.of(power, grant), true);
        return Set.copyOf(
                SCOPES.stream().filter(scope -> grants.allows(power, scope)).toList());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B20")
    void nobodyHasAPowerThatIsNotGranted(Kind kind) {
        assertEquals(Set.of(), allowed(kind, new Grant(true, Set.of(), Set.of())));
        SCOPES.forEach(scope -> assertFalse(PowerGrants.NONE.allows(new Power(kind, "one"), scope)));
        SCOPES.forEach(scope -> assertFalse(new PowerGrants(Map.of(new Power(kind, "other"), Grant.UNNAMED), true)
                .allows(new Power(kind, "one"), scope)));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B20")
    void exactlyTheNamedHaveAPower(Kind kind) {
        for (CatalogueScope scope : List.of(OWN_HOST, OWN_PROJECT, TENANTS_HOST, TENANTS_PROJECT)) {
            assertEquals(Set.of(scope), allowed(kind, new Grant(true, Set.of(scope), Set.of())));
        }
        assertEquals(
                Set.of(DEFAULT_PROJECT, OWN_PROJECT), allowed(kind, new Grant(true, Set.of(), Set.of(DEFAULT_HOST))));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B20")
    void whatNamesNobodyIsForTheOwnHostAndItsDefaultProject(Kind kind) {
        assertEquals(Set.of(OWN_HOST, DEFAULT_PROJECT), allowed(kind, Grant.UNNAMED));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B21")
    void aRefusalSaysWhichPowerIsMissingAndHowItIsGranted(Kind kind) {
        var power = new Power(kind, "one");
        String refusal = PowerGrants.NONE.refusal(power, OWN_PROJECT).orElseThrow();
        String other = new PowerGrants(Map.of(power, Grant.UNNAMED), true)
                .refusal(power, OWN_PROJECT)
                .orElseThrow();

        assertTrue(refusal.contains(power.toString()), refusal);
        assertTrue(refusal.contains(PROJECT.toString()), refusal);
        assertTrue(refusal.contains("parley.yml"), refusal);
        assertEquals(refusal, other); // nobody learns what others have
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B25")
    void rootStartsNoPrograms(Kind kind) {
        Power power = Power.of(kind);
        var root = new PowerGrants(Map.of(power, Grant.UNNAMED), false);

        assertEquals(!kind.startsPrograms(), root.allows(power, DEFAULT_PROJECT));
        if (kind.startsPrograms()) {
            assertTrue(root.refusal(power, DEFAULT_PROJECT).orElseThrow().contains("commandsAsRoot"));
        }
    }

    @Test
    void warnsOfPowersThatNameNobody() {
        var grants = new PowerGrants(
                Map.of(
                        Power.of(Kind.WORKFLOW_SHELL),
                        Grant.UNNAMED,
                        Power.of(Kind.PROGRAMS),
                        new Grant(true, Set.of(OWN_HOST), Set.of())),
                true);

        assertEquals(1, grants.warnings().size());
        assertTrue(grants.warnings().getFirst().contains("workflows.shell"));
    }
}
