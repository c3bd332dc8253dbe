package dev.parley.platform.config;

import static dev.parley.platform.access.AccessDirectory.DEFAULT_HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.RecordKey;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who has which power by {@code parley.yml}, in the old form and in the new one. */
class PowersReaderTest {
    private static final UUID PROJECT = UUID.fromString("0198c2a4-0000-7000-8000-000000000001");
    private static final UUID TENANT = UUID.fromString("0198c2a4-0000-7000-8000-00000000000a");
    private static final CatalogueScope OWN_PROJECT = new CatalogueScope(DEFAULT_HOST, PROJECT);
    private static final CatalogueScope DEFAULT_PROJECT =
            new CatalogueScope(DEFAULT_HOST, RecordKey.projectId(RecordKey.DEFAULT_PROJECT));
    private static final CatalogueScope OWN_HOST = new CatalogueScope(DEFAULT_HOST, null);
    private static final CatalogueScope TENANTS_HOST = new CatalogueScope(TENANT, null);
    private static final CatalogueScope TENANTS_PROJECT = new CatalogueScope(TENANT, PROJECT);

    /** The settings that switch on each power, with {@code WHO} where it is named. */
    private static final Map<Kind, String> NAMED = Map.of(
            Kind.WORKFLOW_SHELL,
            "workflows: { shell: { WHO } }",
            Kind.CONTAINERS,
            "workflows: { containers: { images: [alpine], WHO } }",
            Kind.BROKER,
            "workflows: { kafka: [{ servers: 'one:9092', WHO }] }",
            Kind.PROGRAMS,
            "tools: { stdio: { WHO } }",
            Kind.SECRET,
            "tools: { secrets: { 'env:ONE': { to: [one.example], WHO } } }",
            Kind.PRIVATE_HOST,
            "tools: { allowedHosts: [{ host: One, WHO }] }",
            Kind.CHECKOUTS,
            "tools: { checkouts: [{ folder: /srv/one, WHO }] }",
            Kind.CHECKOUT_SHELL,
            "tools: { checkouts: [/srv/one], shell: { WHO } }",
            Kind.PLUGIN_TOOLS,
            "tools: { java: { WHO } }");

    private static final Map<Kind, String> UNNAMED = Map.of(
            Kind.WORKFLOW_SHELL,
            "workflows: { shell: true }",
            Kind.CONTAINERS,
            "workflows: { containers: { images: [alpine] } }",
            Kind.BROKER,
            "workflows: { kafka: [{ servers: 'one:9092' }] }",
            Kind.PROGRAMS,
            "tools: { stdio: true }",
            Kind.SECRET,
            "tools: { secrets: { 'env:ONE': [one.example] } }",
            Kind.PRIVATE_HOST,
            "tools: { allowedHosts: [One] }",
            Kind.CHECKOUTS,
            "tools: { checkouts: [/srv/one] }",
            Kind.CHECKOUT_SHELL,
            "tools: { checkouts: [/srv/one], shell: true }",
            Kind.PLUGIN_TOOLS,
            "tools: { java: true }");

    @TempDir
    Path folder;

    private PowerGrants read(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("parley.yml"), "commandsAsRoot: true\n" + yaml);
        return ConfigReader.read(Map.of(
                        "PARLEY_CONFIG",
                        file.toString(),
                        "PARLEY_DATA",
                        folder.resolve("data").toString()))
                .powers();
    }

    private static Power power(Kind kind) {
        return switch (kind) {
            case WORKFLOW_SHELL, CONTAINERS, PROGRAMS, CHECKOUT_SHELL, PLUGIN_TOOLS -> Power.of(kind);
            case BROKER -> new Power(kind, "one:9092");
            case SECRET -> Power.secret("env:ONE");
            case PRIVATE_HOST -> Power.privateHost("one");
            case CHECKOUTS -> new Power(kind, "/srv/one");
        };
    }

    private Set<CatalogueScope> allowed(Kind kind, String yaml) throws IOException {
        PowerGrants powers = read(yaml);
        return Stream.of(OWN_HOST, DEFAULT_PROJECT, OWN_PROJECT, TENANTS_HOST, TENANTS_PROJECT)
                .filter(scope -> powers.allows(power(kind), scope))
                .collect(Collectors.toSet());
    }

    private static String naming(Kind kind, String who) {
        return NAMED.getOrDefault(kind, "").replace("WHO", who);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B22")
    void namesProjectsByTheirIds(Kind kind) throws IOException {
        assertEquals(Set.of(OWN_PROJECT), allowed(kind, naming(kind, "projects: [" + PROJECT + "]")));
        assertEquals(
                Set.of(TENANTS_PROJECT), allowed(kind, naming(kind, "projects: ['" + TENANT + "/" + PROJECT + "']")));
        assertEquals(Set.of(DEFAULT_PROJECT, OWN_PROJECT), allowed(kind, naming(kind, "projects: ['*']")));
        assertEquals(Set.of(TENANTS_PROJECT), allowed(kind, naming(kind, "projects: ['" + TENANT + "/*']")));
        assertEquals(Set.of(), allowed(kind, naming(kind, "projects: []")));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CHECKOUTS")
    @Tag("B22")
    void namesHostsByTheirIds(Kind kind) throws IOException {
        assertEquals(Set.of(TENANTS_HOST), allowed(kind, naming(kind, "hosts: [" + TENANT + "]")));
        assertEquals(Set.of(OWN_HOST), allowed(kind, naming(kind, "hosts: [default]")));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("B22")
    void theOldFormIsForTheOwnHostAndItsDefaultProject(Kind kind) throws IOException {
        assertEquals(Set.of(OWN_HOST, DEFAULT_PROJECT), allowed(kind, UNNAMED.getOrDefault(kind, "")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            workflows: { shell: { projects: [ops] } }                      | workflows.shell.projects
            workflows: { shell: { projects: ['acme/default'] } }           | workflows.shell.projects
            workflows: { shell: { projects: [~] } }                        | workflows.shell.projects
            workflows: { shell: { hosts: ['*'] } }                         | workflows.shell.hosts
            workflows: { shell: { hosts: [acme] } }                        | workflows.shell.hosts
            workflows: { shell: { project: [default] } }                   | unknown key
            tools: { checkouts: [{ folder: /srv/x, hosts: [default] }] }   | unknown key
            """)
    void rejectsNamesThatPeopleChoose(String yaml, String key) {
        var thrown = assertThrows(ConfigException.class, () -> read(yaml));

        assertTrue(String.valueOf(thrown.getMessage()).contains(key), thrown.getMessage());
    }

    @Test
    void aSwitchThatIsOffIsForNobody() throws IOException {
        assertFalse(read("workflows: { shell: false }").isOn(Kind.WORKFLOW_SHELL));
        assertFalse(
                read("workflows: { shell: { on: false, projects: [default] } }").isOn(Kind.WORKFLOW_SHELL));
        assertTrue(read("").allows(Power.of(Kind.PLUGIN_TOOLS), OWN_HOST));
        assertFalse(read("").allows(Power.of(Kind.PLUGIN_TOOLS), TENANTS_HOST));
    }

    @Test
    @Tag("B23")
    void eachSettingOfToolsAndWorkflowsIsAPowerOrHarmless() {
        Set<String> covered = new TreeSet<>(PowersReader.HARMLESS.keySet());
        Arrays.stream(Kind.values()).map(Kind::setting).forEach(covered::add);

        Set<String> settings = new TreeSet<>();
        settings.addAll(names("tools.", ConfigFile.ToolsSection.class));
        settings.addAll(names("workflows.", ConfigFile.WorkflowsSection.class));

        assertEquals(settings, covered);
    }

    private static List<String> names(String prefix, Class<? extends Record> section) {
        return Arrays.stream(section.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> prefix + name)
                .toList();
    }
}
