package dev.parley.platform.power;

/**
 * Something that reaches beyond the sandbox of definitions: a program of this machine, a secret of the operator, a host
 * of the private network.
 *
 * @param name which one, for kinds that have several: the reference of a secret, a host, a folder; else empty
 */
public record Power(Kind kind, String name) implements Comparable<Power> {

    /** The kinds of powers, each with its setting in {@code parley.yml}. */
    public enum Kind {
        /** Commands of workflows: {@code run: shell}. */
        WORKFLOW_SHELL("workflows.shell", "workflows: { shell: { %3$s: [%2$s] } }"),
        /** Containers of workflows: {@code run: container}. */
        CONTAINERS("workflows.containers", "workflows: { containers: { images: [\"alpine:*\"], %3$s: [%2$s] } }"),
        /** Outer brokers of workflows, by their servers. */
        BROKER("workflows.kafka", "workflows: { kafka: [{ servers: \"%1$s\", %3$s: [%2$s] }] }"),
        /** Programs that MCP tools start. */
        PROGRAMS("tools.stdio", "tools: { stdio: { hosts: [%2$s] } }"),
        /** Secrets of the operator, by their references. */
        SECRET("tools.secrets", "tools: { secrets: { \"%1$s\": { to: [api.example.com], %3$s: [%2$s] } } }"),
        /** Hosts of the private network, by their names. */
        PRIVATE_HOST("tools.allowedHosts", "tools: { allowedHosts: [{ host: \"%1$s\", %3$s: [%2$s] }] }"),
        /** Checkouts below a folder of this machine. */
        CHECKOUTS("tools.checkouts", "tools: { checkouts: [{ folder: \"%1$s\", projects: [%2$s] }] }"),
        /** The shell of agents in a checkout. */
        CHECKOUT_SHELL("tools.shell", "tools: { shell: { projects: [%2$s] } }"),
        /** Tools of the type {@code java}: classes of plug-ins. */
        PLUGIN_TOOLS("tools.java", "tools: { java: { hosts: [%2$s] } }");

        private final String setting;
        private final String example;

        Kind(String setting, String example) {
            this.setting = setting;
            this.example = example;
        }

        /** The setting in {@code parley.yml}. */
        public String setting() {
            return setting;
        }

        /** Whether the power starts a program with the rights of this process's user. */
        boolean startsPrograms() {
            return switch (this) {
                case WORKFLOW_SHELL, PROGRAMS, CHECKOUT_SHELL -> true;
                case CONTAINERS, BROKER, SECRET, PRIVATE_HOST, CHECKOUTS, PLUGIN_TOOLS -> false;
            };
        }
    }

    /** The power of a kind that has one. */
    public static Power of(Kind kind) {
        return new Power(kind, "");
    }

    /** A secret, by its reference. */
    public static Power secret(String reference) {
        return new Power(Kind.SECRET, reference);
    }

    /** A host of the private network, by its name or address in lower case. */
    public static Power privateHost(String host) {
        return new Power(Kind.PRIVATE_HOST, host);
    }

    /** How to grant it in {@code parley.yml}. */
    String example(Grant.Grantee grantee) {
        return kind.example.formatted(name, grantee.name(), grantee.list());
    }

    @Override
    public int compareTo(Power other) {
        int byKind = kind.compareTo(other.kind);
        return byKind == 0 ? name.compareTo(other.name) : byKind;
    }

    /** The setting, with the name where there are several: {@code tools.secrets env:CRM_KEY}. */
    @Override
    public String toString() {
        return name.isEmpty() ? kind.setting : kind.setting + " " + name;
    }
}
