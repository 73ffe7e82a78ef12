"""Where text comes from: any compatible endpoint, a script, a recording."""
