/** What the operator lets hosts and projects do on this machine and in its network, and who may. */
@NullMarked
package dev.parley.platform.power;

import org.jspecify.annotations.NullMarked;
