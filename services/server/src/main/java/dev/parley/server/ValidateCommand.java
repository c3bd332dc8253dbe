package dev.parley.server;

import dev.parley.platform.config.ParleyConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley validate-config}: says whether the settings can be used. */
@Command(
        name = "validate-config",
        mixinStandardHelpOptions = true,
        description = "Checks flags, environment and parley.yml without starting anything.")
final class ValidateCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @SuppressWarnings("NullAway.Init")
    ValidateCommand() {}

    @Override
    public Integer call() {
        ParleyConfig config = parent.config();
        System.out.println("The settings are fine.");
        System.out.println("  roles     " + config.roles().stream().map(role -> role.code()).sorted().toList());
        System.out.println("  broker    " + (config.kafka() == null ? "embedded" : config.kafka().bootstrap()));
        System.out.println("  database  " + (config.postgres() == null ? "embedded" : config.postgres().url()));
        config.agents().forEach(agent -> System.out.println("  agent     " + agent.name() + " → " + agent.provider() + "/" + agent.model()));
        return 0;
    }
}
