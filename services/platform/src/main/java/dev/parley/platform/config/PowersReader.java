package dev.parley.platform.config;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.BrokersConfig.Broker;
import dev.parley.platform.config.ConfigFile.ToolsSection;
import dev.parley.platform.config.ConfigFile.WorkflowsSection;
import dev.parley.platform.config.PowerSections.CheckoutSection;
import dev.parley.platform.config.PowerSections.PrivateHostSection;
import dev.parley.platform.config.PowerSections.SecretSection;
import dev.parley.platform.config.PowerSections.SwitchSection;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads who may use which power, from the settings of tools and workflows. */
final class PowersReader {
    /** The settings of tools and workflows that give no power, each with the reason. */
    static final Map<String, String> HARMLESS = Map.of(
            "workflows.mockOutputs", "gives agents less to do",
            "workflows.topics", "names the project of each topic itself",
            "tools.plugins", "code that the operator installs for all; its classes are tools.java");

    private final Map<Power, Grant> grants = new HashMap<>();

    private PowersReader() {}

    /** @param programs whether this process starts programs */
    static PowerGrants powers(@Nullable ToolsSection tools, @Nullable WorkflowsSection workflows, boolean programs) {
        var reader = new PowersReader();
        reader.tools(tools == null ? ToolsSection.EMPTY : tools);
        if (workflows != null) {
            reader.workflows(workflows);
        }
        return new PowerGrants(reader.grants, programs);
    }

    /** Whether a switch is on: it says true, or names somebody. */
    static boolean isOn(@Nullable SwitchSection section) {
        return section != null
                && (section.on() == null ? section.hosts() != null || section.projects() != null : section.on());
    }

    private void tools(ToolsSection tools) {
        for (@Nullable PrivateHostSection section : orEmpty(tools.allowedHosts())) {
            String host = ToolsReader.host("tools.allowedHosts", section == null ? null : section.host());
            add(
                    Power.privateHost(host),
                    section == null ? null : section.hosts(),
                    section == null ? null : section.projects());
        }
        (tools.secrets() == null ? Map.<String, @Nullable SecretSection>of() : tools.secrets())
                .forEach((reference, section) -> add(
                        Power.secret(reference),
                        section == null ? null : section.hosts(),
                        section == null ? null : section.projects()));
        for (@Nullable CheckoutSection section : orEmpty(tools.checkouts())) {
            String folder = ToolsReader.checkout(section).toString();
            add(new Power(Kind.CHECKOUTS, folder), null, section == null ? null : section.projects());
        }
        add(Kind.PROGRAMS, tools.stdio());
        add(Kind.CHECKOUT_SHELL, tools.shell());
        if (tools.java() == null) { // as ever: the classes of plug-ins are for the installation's own host
            grants.put(Power.of(Kind.PLUGIN_TOOLS), Grant.OWN_HOST);
        } else {
            add(Kind.PLUGIN_TOOLS, tools.java());
        }
    }

    private void workflows(WorkflowsSection workflows) {
        add(Kind.WORKFLOW_SHELL, workflows.shell());
        if (workflows.containers() != null) {
            add(
                    Power.of(Kind.CONTAINERS),
                    workflows.containers().hosts(),
                    workflows.containers().projects());
        }
        List<Broker> brokers = BrokersReader.brokers(workflows).brokers();
        for (int i = 0; i < brokers.size(); i++) {
            ConfigFile.BrokerSection section = orEmpty(workflows.kafka()).get(i);
            add(
                    brokers.get(i).power(),
                    section == null ? null : section.hosts(),
                    section == null ? null : section.projects());
        }
    }

    private static <T extends @Nullable Object> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    private void add(Kind kind, @Nullable SwitchSection section) {
        if (section != null && isOn(section)) {
            add(Power.of(kind), section.hosts(), section.projects());
        }
    }

    private void add(Power power, @Nullable List<@Nullable String> hosts, @Nullable List<@Nullable String> projects) {
        String path = power.kind().setting();
        grants.put(power, hosts == null && projects == null ? Grant.UNNAMED : grant(path, hosts, projects));
    }

    private static Grant grant(
            String path, @Nullable List<@Nullable String> hosts, @Nullable List<@Nullable String> projects) {
        var scopes = new HashSet<CatalogueScope>();
        var everyProjectOf = new HashSet<UUID>();
        orEmpty(hosts).forEach(host -> scopes.add(new CatalogueScope(host(path + ".hosts", host), null)));
        for (@Nullable String text : orEmpty(projects)) {
            String name = String.valueOf(text);
            int slash = name.indexOf('/');
            UUID host = host(path + ".projects", slash < 0 ? Grant.OWN : name.substring(0, slash));
            String project = name.substring(slash + 1);
            if (project.equals(Grant.EVERY)) {
                everyProjectOf.add(host);
            } else {
                scopes.add(new CatalogueScope(host, project(path + ".projects", project)));
            }
        }
        return new Grant(true, scopes, everyProjectOf);
    }

    private static UUID host(String path, @Nullable String name) {
        return Grant.OWN.equals(name) ? AccessDirectory.DEFAULT_HOST : id(path, "a host", name);
    }

    private static UUID project(String path, String name) {
        return name.equals(RecordKey.DEFAULT_PROJECT) ? RecordKey.projectId(name) : id(path, "a project", name);
    }

    /** Ids only: people choose the names of projects, and the keys of imported ones. */
    private static UUID id(String path, String what, @Nullable String text) {
        String id = String.valueOf(text).toLowerCase(Locale.ROOT);
        if (Ids.isId(id)) {
            return Ids.parse(id);
        }
        throw new ConfigException(
                path,
                "names %s by its id, or default, not '%s'; GET /v1/projects and GET /v1/hosts show ids"
                        .formatted(what, text));
    }
}
