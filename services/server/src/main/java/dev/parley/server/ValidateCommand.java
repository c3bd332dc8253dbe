package dev.parley.server;

import dev.parley.platform.config.ParleyConfig;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code parley validate-config}: checks the settings. */
@Command(
        name = "validate-config",
        mixinStandardHelpOptions = true,
        description = "Checks flags, environment and parley.yml without starting anything.")
final class ValidateCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        ParleyConfig config = parent.config();
        config.requireKeys();
        PrintWriter out = spec.commandLine().getOut();
        out.println("The settings are fine.");
        out.println("  roles     "
                + config.roles().stream().map(role -> role.code()).sorted().toList());
        out.println("  broker    "
                + (config.kafka() == null ? "embedded" : config.kafka().bootstrap()));
        out.println("  database  "
                + (config.postgres() == null ? "embedded" : config.postgres().url()));
        config.agents()
                .forEach(agent ->
                        out.println("  agent     " + agent.name() + " → " + agent.provider() + "/" + agent.model()));
        return 0;
    }
}
