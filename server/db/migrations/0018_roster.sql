CREATE TABLE "shifts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shifts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"region" text NOT NULL,
	"vet_id" integer NOT NULL,
	"begin" timestamp (3) with time zone NOT NULL,
	"end" timestamp (3) with time zone NOT NULL,
	"offered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shifts_end_after_begin" CHECK ("shifts"."end" > "shifts"."begin"),
	CONSTRAINT "shifts_region" CHECK ("shifts"."region" in ('za', 'au'))
);
--> statement-breakpoint
ALTER TABLE "shifts" ADD CONSTRAINT "shifts_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shifts_begin" ON "shifts" USING btree ("region","begin");--> statement-breakpoint
CREATE INDEX "shifts_vet" ON "shifts" USING btree ("vet_id","begin");