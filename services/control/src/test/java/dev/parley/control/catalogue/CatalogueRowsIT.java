package dev.parley.control.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.control.Crowded;
import dev.parley.control.audit.Audit;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.http.Caller;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.Plans.Plan;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tools and skills of one project among those of thousands. */
final class CatalogueRowsIT {
    private static final String ROWS = """
            INSERT INTO control.%1$s_t (host_id, definition_id, project_id, name, version, body, active, update_user)
            SELECT '$h', md5('%1$s ' || i || ' ' || j)::uuid, md5('project ' || i)::uuid, '%1$s-' || i || '-' || j, '1.0.0',
              jsonb_build_object('name', '%1$s-' || i || '-' || j, 'version', '1.0.0', 'description', 'x'%2$s), j %% 4 > 0, 'test'
            FROM generate_series(1, 2000) i, generate_series(1, 16) j""";

    private static final Project PROJECT = new Project(
            AccessDirectory.DEFAULT_HOST,
            Crowded.project(6),
            1,
            "six",
            "Six",
            false,
            false,
            null,
            null,
            null,
            List.of(),
            false,
            null);

    private static Crowded crowd;
    private static Catalogue catalogue;

    @BeforeAll
    static void fill() {
        crowd = new Crowded();
        crowd.run(ROWS.formatted("tool", ", 'type', 'javascript', 'implementation', '{\"script\":\"1\"}'::jsonb"));
        crowd.run(ROWS.formatted("skill", ""));
        crowd.run("ANALYZE control.tool_t, control.skill_t");
        catalogue = new Catalogue(
                crowd.app(),
                crowd.published(),
                new KafkaDefinitions(KafkaClients.of("127.0.0.1:1")),
                new PublishedPowers(PowerGrants.NONE),
                crowd.rows(Audit.class));
    }

    private static DefinitionScope place() {
        var person = new Account(
                AccessDirectory.DEFAULT_HOST, AccessDirectory.ADMIN, 1, "admin", true, true, null, null, null);
        var key = new AccessKey(
                KeyKind.SIGN_IN,
                AccessDirectory.DEFAULT_HOST,
                AccessDirectory.ADMIN,
                AccessDirectory.ADMIN,
                1,
                "key",
                "",
                null,
                List.of(AccessKey.ALL),
                null);
        return new DefinitionScope(new Caller(person, key, AccessDirectory.NOTHING), PROJECT);
    }

    private static void isByIndex(String table, String index) {
        Plan plan = crowd.plans().last("FROM control." + table);
        assertTrue(plan.uses(index), plan.text());
        assertFalse(plan.readsAll(table), plan.text());
    }

    @Test
    @Tag("A9")
    void skillsAreListedAndFoundByNameWithAnIndex() {
        assertEquals(12, catalogue.visible(place(), CatalogueTable.SKILL).size());
        isByIndex("skill_t", "idx_skill_active");
        assertEquals(
                "skill-6-7",
                catalogue.find(place(), CatalogueTable.SKILL, "skill-6-7", null).name());
        isByIndex("skill_t", "idx_skill_name");
    }

    @Test
    @Tag("A16")
    void toolsAreListedAndFoundByNameWithAnIndex() {
        assertEquals(12, catalogue.visible(place(), CatalogueTable.TOOL).size());
        isByIndex("tool_t", "idx_tool_active");
        assertEquals(
                "tool-6-7",
                catalogue
                        .find(place(), CatalogueTable.TOOL, "tool-6-7", "1.0.0")
                        .name());
        isByIndex("tool_t", "idx_tool_name");
    }
}
