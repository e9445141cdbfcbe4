CREATE TABLE "back_asks" (
	"email" text PRIMARY KEY NOT NULL,
	"region" text NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "back_asks_region" CHECK ("back_asks"."region" in ('za', 'au'))
);
--> statement-breakpoint
CREATE INDEX "back_asks_first" ON "back_asks" USING btree ("region","asked_at");