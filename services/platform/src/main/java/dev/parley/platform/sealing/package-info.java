/** Encryption of stored secrets with a master key that is stored elsewhere. */
@NullMarked
package dev.parley.platform.sealing;

import org.jspecify.annotations.NullMarked;
