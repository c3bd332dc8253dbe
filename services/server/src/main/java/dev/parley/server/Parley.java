package dev.parley.server;

/** Starts Parley from the command line. */
public final class Parley {
    private Parley() {}

    /** Prints how Parley is used. */
    public static void main(String[] args) {
        System.out.println("Usage: parley COMMAND [OPTIONS]");
    }
}
