package dev.parley.server;

import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"parley " + (version == null ? "(from source)" : version), "java " + Runtime.version()};
    }
}
